package history

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A tape is recorded HTTP traffic: a cassette of a test library, or a browser's archive (HAR).
type tape struct {
	kind      tapeKind
	exchanges []exchange // in the order of their requests
}

// A tapeKind says what recorded the traffic.
type tapeKind string

const (
	cassetteTape tapeKind = "a cassette of HTTP traffic"
	harTape      tapeKind = "an HTTP archive (HAR)"
)

// An exchange is a request and what it was answered with.
type exchange struct {
	host, path        string
	status            int64 // 0 where it is not recorded
	when              time.Time
	request, response body
}

// openTape finds the exchanges of a document; false where it is no recorded traffic.
func openTape(root value) (*tape, bool) {
	t := &tape{kind: cassetteTape}
	list, read := root.get("interactions"), cassetteExchange
	if entries := root.get("log", "entries"); entries.isArray() {
		t.kind, list, read = harTape, entries, harExchange
	}
	if !list.isArray() || list.first().ok() && !list.first().get("request").isObject() {
		return nil, false
	}
	for e := range list.elements() {
		t.exchanges = append(t.exchanges, read(e))
	}
	if !slices.ContainsFunc(t.exchanges, func(x exchange) bool { return x.when.IsZero() }) {
		slices.SortStableFunc(t.exchanges, func(a, b exchange) int { return cmp.Compare(a.when.UnixNano(), b.when.UnixNano()) })
	}
	return t, true
}

// cassetteExchange reads an interaction as the libraries of Python, Go and Ruby record it.
func cassetteExchange(v value) exchange {
	request, response := v.get("request"), v.get("response")
	x := exchange{request: cassetteBody(request), response: cassetteBody(response)}
	x.host, x.path = splitURL(firstGiven(request.get("uri"), request.get("url")).str())
	x.status, _ = firstGiven(response.get("status", "code"), response.get("status_code"), response.get("code")).int64()
	return x
}

func cassetteBody(of value) body {
	v := firstGiven(of.get("parsed_body"), of.get("body"))
	encoding := ""
	for _, key := range []string{"string", "base64_string"} {
		if inner := v.get(key); inner.given() {
			v = inner
			if key == "base64_string" {
				encoding = "base64"
			}
		}
	}
	b := newBody(v, encoding)
	if len(b.values()) == 0 && contentEncoding(of.get("headers")) == "br" {
		b.problem = "a body is compressed with Brotli, which is not read: record it decompressed"
	}
	return b
}

// contentEncoding is how a body is compressed according to its headers.
func contentEncoding(headers value) string {
	for k, v := range headers.members() {
		if strings.EqualFold(k.str(), "content-encoding") {
			return firstGiven(v.first(), v).str()
		}
	}
	return ""
}

// harExchange reads an entry of an archive.
func harExchange(v value) exchange {
	request, content := v.get("request"), v.get("response", "content")
	x := exchange{
		request:  newBody(request.get("postData", "text"), request.get("postData", "encoding").str()),
		response: newBody(content.get("text"), content.get("encoding").str()),
		when:     v.get("startedDateTime").time(),
	}
	x.host, x.path = splitURL(request.get("url").str())
	x.status, _ = v.get("response", "status").int64()
	return x
}

func splitURL(s string) (host, path string) {
	u, err := url.Parse(s)
	if err != nil {
		return "", ""
	}
	return u.Host, strings.TrimSuffix(u.Path, "/")
}

// model is the model that the path names, as the APIs of Amazon and Google have it.
func (x *exchange) model() string {
	for _, part := range []string{"/model/", "/models/"} {
		if _, rest, ok := strings.Cut(x.path, part); ok {
			rest, _, _ = strings.Cut(rest, "/")
			rest, _, _ = strings.Cut(rest, ":generate")
			rest, _, _ = strings.Cut(rest, ":stream")
			return rest
		}
	}
	return ""
}

// describe says what a tape without anything to read holds.
func (t *tape) describe() string {
	if len(t.exchanges) == 1 {
		return fmt.Sprintf("it is %s with one request, which is not to a model's API that can be read", t.kind)
	}
	return fmt.Sprintf("it is %s with %d requests, none of them to a model's API that can be read", t.kind, len(t.exchanges))
}
