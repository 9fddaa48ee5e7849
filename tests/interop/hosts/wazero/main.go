// The WebAssembly module in Go, by wazero: main MODULE PROGRAM converts with both, and compares.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Converter is an instance of the module, for one goroutine at a time.
type Converter struct {
	module api.Module
}

// NewConverter compiles the module, which imports nothing.
func NewConverter(ctx context.Context, wasm []byte) (*Converter, error) {
	module, err := wazero.NewRuntime(ctx).Instantiate(ctx, wasm)
	if err != nil {
		return nil, err
	}
	return &Converter{module}, nil
}

// Convert answers {"settings": …, "value": …}, and reads the report into the last argument.
func (c *Converter) Convert(ctx context.Context, settings, value, into any) error {
	request, err := json.Marshal(map[string]any{"settings": settings, "value": value})
	if err != nil {
		return err
	}
	at, err := c.number(ctx, "request", uint64(len(request)))
	if err != nil {
		return err
	}
	if !c.module.Memory().Write(at, request) {
		return errors.New("the request does not fit")
	}
	if at, err = c.number(ctx, "convert"); err != nil {
		return err
	}
	length, err := c.number(ctx, "length")
	if err != nil {
		return err
	}
	text, _ := c.module.Memory().Read(at, length)
	var answer struct {
		Value json.RawMessage
		Error *string
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return errors.New(*answer.Error)
	}
	return json.Unmarshal(answer.Value, into)
}

func (c *Converter) number(ctx context.Context, name string, arguments ...uint64) (uint32, error) {
	found, err := c.module.ExportedFunction(name).Call(ctx, arguments...)
	if err != nil {
		return 0, err
	}
	return api.DecodeU32(found[0]), nil
}

func main() {
	if err := compare(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "wazero:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context, path, program string) error {
	wasm, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begun := time.Now()
	converter, err := NewConverter(ctx, wasm)
	if err != nil {
		return err
	}
	compiled := time.Since(begun)
	var results []any
	for _, size := range []int{1, 2, 1000, 1_000_000} {
		text := map[string]any{"type": "text", "text": strings.Repeat("x", size)}
		results = append(results, map[string]any{"content": []any{text}, "isError": size%2 == 1})
	}
	for _, target := range []string{"anthropic", "openai-responses", "gemini", "copilot"} {
		var input bytes.Buffer
		lines := json.NewEncoder(&input)
		for _, result := range results {
			if err := lines.Encode(result); err != nil {
				return err
			}
		}
		native := exec.Command(program, "--to", target, "--report")
		native.Stdin = &input
		output, err := native.Output()
		if err != nil {
			return err
		}
		reports := json.NewDecoder(bytes.NewReader(output))
		for _, result := range results {
			var expected, found any
			if err := reports.Decode(&expected); err != nil {
				return err
			}
			if err := converter.Convert(ctx, map[string]string{"to": target}, result, &found); err != nil {
				return err
			}
			if !reflect.DeepEqual(found, expected) {
				return fmt.Errorf("%s: another report than the program's", target)
			}
		}
	}
	var ignored any
	err = converter.Convert(ctx, map[string]string{"to": "nowhere"}, results[0], &ignored)
	if err == nil || !strings.Contains(err.Error(), "nowhere") {
		return fmt.Errorf("an unknown target is an error, not %v", err)
	}
	const rounds = 200
	begun = time.Now()
	for range rounds {
		if err := converter.Convert(ctx, map[string]string{"to": "anthropic"}, results[2], &ignored); err != nil {
			return err
		}
	}
	each := time.Since(begun) / rounds
	fmt.Fprintf(os.Stderr, "wazero in Go: compiled in %d ms; 1 KB of text %d µs a call\n", compiled.Milliseconds(), each.Microseconds())
	return nil
}
