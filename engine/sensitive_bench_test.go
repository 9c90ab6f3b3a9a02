package engine

import (
	"bytes"
	"testing"
)

// BenchmarkSensitives looks at a preview of 4 KB with mails and keywords in it, and at 256 KB of records.
func BenchmarkSensitives(b *testing.B) {
	records := []byte(`{"id":"ACC-10293","owner":"ana.silva@example.com","token":"none","amount":10.25,"note":"renewed by phone"},`)
	for name, size := range map[string]int{"4KB": 4 << 10, "256KB": 256 << 10} {
		text := bytes.Repeat(records, size/len(records))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Sensitives(text)
			}
		})
	}
}

// BenchmarkLoadSecretRules reads the list without compiling a rule.
func BenchmarkLoadSecretRules(b *testing.B) {
	for b.Loop() {
		readSecretRules()
	}
}
