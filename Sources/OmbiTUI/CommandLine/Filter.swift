import OmbiDocument
import OmbiViewer

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
    /// The last value that was filtered.
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
        while filteredCount < document.rootCount, !output.isClosed {
            guard let root = filtered.map(document.nextSibling) ?? document.firstRoot else { return }
            for node in path.matches(in: document, root: root) {
                if output.isClosed { return }
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
