import ArgumentParser
import OmbiDocument
import OmbiViewer

/// `ombi filter`: what a JSONPath selects, one value a line.
struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter", abstract: "Print what a JSONPath (RFC 9535) selects from JSON, one value a line.",
        discussion: """
            Values are printed as they were sent, numbers digit by digit; one that goes over several lines is put on one. \
            Of JSON Lines, or values one after another, each is asked by itself. Whole values before a mistake in \
            the JSON are asked, the broken one is not.
            Exit status: 0 something was selected; 1 nothing was; 2 the JSONPath or the JSON is wrong; \
            3 the file could not be read.
            """)

    @Argument(help: "The query, such as '$..name' or '$.users[?@.age >= 18].email'.")
    var jsonPath: String

    @Argument(help: "A file with JSON; - is standard input.")
    var file = "-"

    @Flag(help: "Print where the values are instead of what they are: normalized paths, such as $['users'][0].")
    var paths = false

    func run() throws {
        let path: JSONPath
        do throws(JSONPathError) { path = try JSONPath(jsonPath) } catch {
            StandardError.print(FilterMistake.lines(for: error, in: jsonPath))
            throw ExitStatus.misuse
        }
        do {
            var filter = Filter(path: path, printsPaths: paths, output: FilterOutput())
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
