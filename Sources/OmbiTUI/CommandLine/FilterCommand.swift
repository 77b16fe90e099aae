import ArgumentParser
import OmbiDocument
import OmbiViewer

/// `ombi filter`: the values that a JSONPath selects, one per line.
struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter", abstract: "Print the values that a JSONPath (RFC 9535) selects from JSON, one per line.",
        discussion: """
            Values are printed as received, with every digit of a number, each on one line. In JSON Lines and other \
            sequences of values, each value is filtered by itself, up to the first syntax error.
            Exit status: 0 values selected; 1 nothing selected; 2 invalid JSONPath or JSON; 3 the file could not be read.
            """)

    @Argument(help: "The query, such as '$..name' or '$.users[?@.age >= 18].email'.")
    var jsonPath: String

    @Argument(help: "A file with JSON; - is standard input.", completion: .file())
    var file = "-"

    @Flag(help: "Print normalized paths, such as $['users'][0], instead of values.")
    var paths = false

    @Flag(name: .shortAndLong, help: "Print strings as text: without quotes and escapes.")
    var raw = false

    func validate() throws {
        if raw, paths {
            throw ValidationError("--raw and --paths exclude each other: paths have no quotes to leave out.")
        }
    }

    func run() throws {
        let path: JSONPath
        do throws(JSONPathError) { path = try JSONPath(jsonPath) } catch {
            StandardError.print(JSONPathErrorText.lines(for: error, in: jsonPath))
            throw ExitStatus.misuse
        }
        do {
            let form: Filter.Form = paths ? .paths : raw ? .text : .values
            var filter = Filter(path: path, form: form, output: FilterOutput())
            let count = try filter.run(try FilterInput(file))
            guard count > 0 else { throw ExitStatus.failure }
        } catch let error as FilterInputError {
            StandardError.print("ombi: \(SafeText.line(error.description))")
            throw ExitStatus.inputOutput
        } catch let error as JSONSyntaxError {
            let name = file == "-" ? "standard input" : file
            StandardError.print("ombi: \(SafeText.line("\(name): \(error)"))")
            throw ExitStatus.misuse
        }
    }
}
