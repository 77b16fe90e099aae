import OmbiDocument
import OmbiViewer

/// One run of `ombi filter`: reads on, asks each value that has become whole, and prints what was selected.
struct Filter {
    let path: JSONPath
    let printsPaths: Bool
    let output: FilterOutput
    /// Bytes to read before the complete values are filtered, while they are still in the processor's caches.
    var portion = 1 << 20
    /// When what has been read takes more than this, what has been asked is let go.
    var maximumKeptBytes = 256 << 20

    private var index: JSONIndex?
    /// The last value that was asked.
    private var asked: JSONNode?
    private var askedCount = 0
    private var matchCount = 0
    /// The lines that were dropped, and the characters of the line that was cut.
    private var place = FilterPlace()

    init(path: JSONPath, printsPaths: Bool, output: FilterOutput) {
        self.path = path
        self.printsPaths = printsPaths
        self.output = output
    }

    /// - Returns: How many values were selected.
    /// - Throws: `FilterInputError`, or `JSONSyntaxError` with its place in the whole input.
    mutating func run(_ input: consuming FilterInput) throws -> Int {
        var count = 0
        while !output.isClosed, let more = try input.read(atMost: portion) {
            count += more
            let document = open().append(input.bytes)
            ask(document)
            if input.isStream { output.flush() }
            if let error = document.error { throw fail(error) }
            guard count > maximumKeptBytes, let asked else { continue }
            let end = document.range(of: asked).upperBound
            place.pass(document.bytes(in: 0..<end))
            input.drop(end)
            count -= end
            (index, self.asked, askedCount) = (nil, nil, 0)
            if count > 0 { ask(open().append(input.bytes)) }
        }
        let document = open().finish()
        ask(document)
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
        return place.apply(to: error)
    }

    /// Asks the values that are whole and have not been asked.
    private mutating func ask(_ document: JSONDocument) {
        guard askedCount < document.rootCount else { return }
        var locator = JSONPathLocator(document)
        while askedCount < document.rootCount, !output.isClosed {
            guard let root = asked.map(document.nextSibling) ?? document.firstRoot else { return }
            for node in path.matches(in: document, root: root) {
                if output.isClosed { return }
                matchCount += 1
                print(node, of: document, &locator)
            }
            asked = root
            askedCount += 1
        }
    }

    private func print(_ node: JSONNode, of document: JSONDocument, _ locator: inout JSONPathLocator) {
        output.line { buffer in
            if printsPaths {
                buffer += locator.bytes(of: node)
            } else {
                document.appendLine(of: node, to: &buffer)
            }
        }
    }
}
