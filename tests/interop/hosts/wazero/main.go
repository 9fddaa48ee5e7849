// The WebAssembly module in Go, by wazero: main MODULE PROGRAM converts with both, and compares.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"time"

	"host/mcpconvert"
)

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
	converter, err := mcpconvert.New(ctx, wasm)
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
	var report mcpconvert.Report
	err = converter.Convert(ctx, map[string]string{"to": "openai-chat", "callId": "c1"}, results[0], &report)
	if err != nil || len(report.Losses) != 1 || report.Losses[0].Code != "error_flag_as_text" {
		return fmt.Errorf("another report than %v, %v", report, err)
	}
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
