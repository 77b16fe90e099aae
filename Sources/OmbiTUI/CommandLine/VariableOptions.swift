import ArgumentParser
import OmbiWorkspace

/// The option `--set` of the commands that fill variables in.
struct VariableOptions: ParsableArguments {
    @Option(name: .customLong("set"), help: "Set a variable: NAME=VALUE. Repeatable.", completion: .variables)
    var texts: [String] = []

    func values() throws -> [Variable] {
        try texts.map { text in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw ValidationError("--set \(text): write NAME=VALUE.")
            }
            return Variable(String(text[..<equals]), String(text[text.index(after: equals)...]))
        }
    }
}
