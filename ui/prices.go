package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// TokenPrices are what a million tokens cost, in any currency.
type TokenPrices struct {
	Currency string   `json:"currency"` // written behind amounts
	Input    *float64 `json:"input"`    // that the model reads
}

type tokenPrices = TokenPrices

// readPrices reads the file of --prices.
func readPrices(path string) (*TokenPrices, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: there is nothing to lose
	var p TokenPrices
	d := json.NewDecoder(io.LimitReader(f, maxPolicy))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return nil, &failure{what: path, why: "no prices: " + err.Error(), hint: `for example {"currency": "USD", "input": 3}, for a million tokens`}
	}
	if p.Input == nil || !(*p.Input >= 0 && *p.Input < 1e9) {
		return nil, &failure{what: path, why: "no price for input", hint: `for example {"currency": "USD", "input": 3}, for a million tokens`}
	}
	return &p, nil
}

// of is what reading so many tokens costs.
func (p *TokenPrices) of(tokens float64) float64 { return tokens * *p.Input / 1e6 }

// text writes an amount with its currency: two decimals, more where it is small.
func (p *TokenPrices) text(tokens float64) string {
	decimals := 2
	if v := p.of(tokens); v > 0 && v < 1 {
		decimals = 4
	}
	return strings.TrimSpace(fmt.Sprintf("%.*f %s", decimals, p.of(tokens), p.Currency))
}
