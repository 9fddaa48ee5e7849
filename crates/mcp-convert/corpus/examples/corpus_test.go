// go test: a converter must answer as a vendor's does. Here the converter is the program mcp-convert, or what MCP_CONVERT names.
package corpus_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"testing"
)

const vendor = "copilot-rust"

type answer struct {
	Value json.RawMessage `json:"value"`
	Error string          `json:"error"`
}

type testCase struct {
	Name    string            `json:"name"`
	Result  json.RawMessage   `json:"result"`
	Outputs map[string]answer `json:"outputs"`
	Differs map[string]string `json:"differs"`
}

// Replace this by your converter.
func convert(result []byte) ([]byte, bool) {
	program := os.Getenv("MCP_CONVERT")
	if program == "" {
		program = "mcp-convert"
	}
	command := exec.Command(program, "--to", "copilot", "--preset", "compat", "--flavor", "rust")
	command.Stdin = bytes.NewReader(result)
	output, err := command.Output()
	return output, err == nil
}

func TestCorpus(t *testing.T) {
	path := os.Getenv("CORPUS")
	if path == "" {
		path = "../cases.jsonl"
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	lines.Scan() // What the vendors are.
	count := 0
	for lines.Scan() {
		var it testCase
		if err := json.Unmarshal(lines.Bytes(), &it); err != nil {
			t.Fatal(err)
		}
		count++
		t.Run(it.Name, func(t *testing.T) {
			if reason := it.Differs[vendor]; reason != "" {
				t.Skip(reason)
			}
			theirs, ok := it.Outputs[vendor]
			if !ok {
				t.Skip("not measured")
			}
			output, ok := convert(it.Result)
			if ok != (theirs.Error == "") || ok && !same(parse(output), parse(theirs.Value)) {
				t.Errorf("theirs %s %s\nours   %s", theirs.Value, theirs.Error, output)
			}
		})
	}
	if count < 100 {
		t.Fatalf("only %d cases", count)
	}
}

func parse(text []byte) any {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return string(text)
	}
	return value
}

// Equal as JSON; texts that hold JSON are compared as such, because vendors lay it out in their own way.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			if other, ok := b[name]; !ok || !same(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for index, value := range a {
			if !same(value, b[index]) {
				return false
			}
		}
		return true
	case string:
		b, ok := b.(string)
		if !ok || a == b {
			return ok
		}
		left, right := parse([]byte(a)), parse([]byte(b))
		_, isText := left.(string)
		return !isText && same(left, right)
	}
	return reflect.DeepEqual(a, b)
}
