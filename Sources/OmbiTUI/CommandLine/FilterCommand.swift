import ArgumentParser
import OmbiPlatform

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
        let path = try JSONPath(typed: jsonPath)
        do {
            let form: Filter.Form = paths ? .paths : raw ? .text : .values
            var filter = Filter(path: path, form: form, output: FilterOutput())
            let count = try filter.run(try FilterInput(file))
            guard count > 0 else { throw ExitStatus.failure }
        } catch let error as FilterInputError {
            throw ExitStatus.inputOutput.reporting(error.description)
        } catch let error as JSONSyntaxError {
            throw ExitStatus.misuse.reporting("\(file == "-" ? "standard input" : file): \(error)")
        }
    }
}

/// One run of `ombi filter`: filters each value as soon as it is complete, and prints the selected values.
struct Filter {
    let path: JSONPath
    let form: Form
    let output: FilterOutput
    /// Bytes to read before the complete values are filtered, while they are still in the processor's caches.
    var portion = 1 << 20
    /// The maximum number of bytes kept: above it, the filtered values are dropped.
    var maximumKeptBytes = 256 << 20

    private var index: JSONIndex?
    private var filtered: JSONNode?
    private var filteredCount = 0
    private var matchCount = 0
    /// The lines that were dropped, and the characters of the line that was cut.
    private var dropped = DroppedInput()

    init(path: JSONPath, form: Form, output: FilterOutput) {
        self.path = path
        self.form = form
        self.output = output
    }

    /// The line of a value.
    enum Form {
        /// As received, without line breaks.
        case values
        /// Strings as they read.
        case text
        /// The normalized path.
        case paths
    }

    /// - Returns: the number of selected values.
    /// - Throws: `FilterInputError`, or `JSONSyntaxError` with its position in the whole input.
    mutating func run(_ input: consuming FilterInput) throws -> Int {
        var count = 0
        while !output.isClosed, let more = try input.read(atMost: portion) {
            count += more
            let document = open().append(input.bytes)
            filter(document)
            if input.isStream { output.flush() }
            if let error = document.error { throw fail(error) }
            guard count > maximumKeptBytes, let filtered else { continue }
            let end = document.range(of: filtered).upperBound
            dropped.add(document.bytes(in: 0..<end))
            input.drop(end)
            count -= end
            (index, self.filtered, filteredCount) = (nil, nil, 0)
            if count > 0 { filter(open().append(input.bytes)) }
        }
        let document = open().finish()
        filter(document)
        output.flush()
        if let error = document.error, !output.isClosed { throw fail(error) }
        return matchCount
    }

    private mutating func open() -> JSONIndex {
        if let index { return index }
        // Filtered values are dropped, so that memory is bounded, and a single large value may take any amount.
        let index = JSONIndex(roots: .many, limits: IndexLimits(memory: .max))
        self.index = index
        return index
    }

    private func fail(_ error: JSONSyntaxError) -> JSONSyntaxError {
        output.flush()
        return dropped.apply(to: error)
    }

    /// Filters the complete values that have not been filtered yet.
    private mutating func filter(_ document: JSONDocument) {
        guard filteredCount < document.rootCount else { return }
        var locator = JSONPathLocator(document)
        while filteredCount < document.rootCount, !output.hasFailed {
            guard let root = filtered.map(document.nextSibling) ?? document.firstRoot else { return }
            for node in path.matches(in: document, root: root) {
                if output.hasFailed { return }
                matchCount += 1
                print(node, of: document, &locator)
            }
            filtered = root
            filteredCount += 1
        }
    }

    private func print(_ node: JSONNode, of document: JSONDocument, _ locator: inout JSONPathLocator) {
        output.line { buffer in
            switch form {
            case .paths: buffer += locator.bytes(of: node)
            case .text where document.text(of: node) != nil:
                buffer += (document.text(of: node)?.string ?? "").utf8
            case .values, .text: document.appendLine(of: node, to: &buffer)
            }
        }
    }
}

/// Buffered lines of output. On a terminal, control characters are made visible.
final class FilterOutput {
    private static let size = 1 << 18

    private let output: ResultOutput
    private let isTerminal = StandardOutput.isTerminal
    private var buffer: [UInt8] = []

    init(_ output: ResultOutput = .standard) {
        self.output = output
        buffer.reserveCapacity(2 * Self.size)
        // A write then fails with EPIPE instead of ending the program.
        signal(SIGPIPE, SIG_IGN)
    }

    var isClosed: Bool { output.isClosed }
    var hasFailed: Bool { output.hasFailed }

    /// Adds the text that `write` appends as one line.
    func line(_ write: (inout [UInt8]) -> Void) {
        if isTerminal {
            var line: [UInt8] = []
            write(&line)
            buffer += SafeText.line(String(decoding: line, as: UTF8.self)).utf8
        } else {
            write(&buffer)
        }
        buffer.append(0x0A)
        if buffer.count >= Self.size { flush() }
    }

    func write(_ text: Bytes) {
        text.withUnsafeBytes(0..<text.count) { buffer.append(contentsOf: $0) }
        flush()
    }

    func flush() {
        buffer.withUnsafeBytes { output.write($0) }
        buffer.removeAll(keepingCapacity: true)
    }
}

extension JSONPath {
    /// Reads a JSONPath of the command line. Prints an error of it, and throws the exit status.
    init(typed expression: String) throws {
        do throws(JSONPathError) { self = try JSONPath(expression) } catch {
            StandardError.print(JSONPathErrorText.lines(for: error, in: expression))
            throw ExitStatus.misuse
        }
    }
}

/// Formats the error in a JSONPath, with a caret under its position.
enum JSONPathErrorText {
    static func lines(for error: JSONPathError, in expression: String) -> String {
        let before = String(String.UnicodeScalarView(expression.unicodeScalars.prefix(error.column - 1)))
        let columns = TextWidth.of(before)
        return """
            ombi: invalid JSONPath at column \(error.column): \(SafeText.line(error.reason))
              \(SafeText.line(expression))
              \(String(repeating: " ", count: columns))^
            """
    }
}

/// The size of the dropped part of an input, so that an error is reported with its position in the whole.
struct DroppedInput {
    private var bytes = 0
    private var lines = 0
    private var characters = 0
    /// The line ends with LF, CR LF or CR: the byte after a CR decides.
    private var isBehindReturn = false

    mutating func add(_ dropped: UnsafeBufferPointer<UInt8>) {
        bytes += dropped.count
        for byte in dropped {
            if byte == 0x0A || isBehindReturn {
                lines += 1
                characters = 0
            }
            isBehindReturn = byte == 0x0D
            if byte != 0x0A, byte & 0xC0 != 0x80 { characters += 1 }
        }
    }

    func apply(to error: JSONSyntaxError) -> JSONSyntaxError {
        let inside = error.position
        let column = inside.column + (inside.line == 1 ? characters : 0)
        return JSONSyntaxError(
            offset: bytes + error.offset, position: TextPosition(line: lines + inside.line, column: column),
            reason: error.reason)
    }
}
