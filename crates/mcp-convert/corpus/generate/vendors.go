// Runs the converter of the Go package on the inputs: vendors CORPUS FILE VERSION NEWEST [DAY] writes one file of
// ../vendors; with the day on which its source was read, if it is no release.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	copilot "github.com/github/copilot-sdk/go"
)

// object is a JSON object whose members keep their order.
type object struct {
	names  []string
	values map[string]json.RawMessage
}

func (o *object) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	o.values = map[string]json.RawMessage{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		o.names = append(o.names, name.(string))
		o.values[name.(string)] = value
	}
	return nil
}

type input struct {
	name   string
	result json.RawMessage
}

func inputs(corpus string) ([]input, error) {
	var own struct{ Inputs object }
	var servers struct {
		Servers []struct {
			Package, Version string
			Results          object
		}
	}
	for name, into := range map[string]any{"inputs.json": &own, "servers.json": &servers} {
		text, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, into); err != nil {
			return nil, err
		}
	}
	var all []input
	for _, name := range own.Inputs.names {
		var it struct{ Result json.RawMessage }
		if err := json.Unmarshal(own.Inputs.values[name], &it); err != nil {
			return nil, err
		}
		all = append(all, input{name, it.Result})
	}
	for _, server := range servers.Servers {
		for _, name := range server.Results.names {
			all = append(all, input{server.Package + " " + server.Version + " " + name, server.Results.values[name]})
		}
	}
	return all, nil
}

// plain prints JSON as the other scripts do: without escapes that are not needed.
func plain(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func converted(result json.RawMessage) string {
	var value any
	if err := json.Unmarshal(result, &value); err != nil {
		return plain(map[string]string{"error": "unreadable"})
	}
	if output, ok := copilot.ConvertMCPCallToolResult(value); ok {
		return plain(map[string]any{"value": output})
	}
	return plain(map[string]string{"error": "false"})
}

func run(corpus, file, version, newest string) error {
	all, err := inputs(corpus)
	if err != nil {
		return err
	}
	rows := make([]string, len(all))
	for at, it := range all {
		rows[at] = fmt.Sprintf("    %s: %s", plain(it.name), converted(it.result))
	}
	head := []struct {
		name  string
		value any
	}{
		{"vendor", "copilot-go"}, {"language", "go"}, {"package", "github.com/github/copilot-sdk/go"}, {"version", version},
		{"mcp", nil}, {"newest", newest}, {"target", "copilot"}, {"options", map[string]string{"flavor": "go"}},
	}
	if len(os.Args) > 5 {
		head = append(head, struct {
			name  string
			value any
		}{"read", os.Args[5]})
	}
	lines := []string{"{", `  "$schema": "../schema.json",`}
	for _, it := range head {
		lines = append(lines, fmt.Sprintf("  %s: %s,", plain(it.name), plain(it.value)))
	}
	lines = append(lines, `  "outputs": {`, strings.Join(rows, ",\n"), "  }", "}")
	return os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
