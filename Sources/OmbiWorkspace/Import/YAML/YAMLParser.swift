internal import CYAML

/// libyaml's parser on its way through a text, valid only during a call of `withEvents`.
struct YAMLParser {
    private let library: YAMLLibrary
    private let parser: YAMLLibrary.Parser
    private let lines: YAMLLines

    /// Calls `body` with a parser at the beginning of a text, and frees the parser's memory in the end.
    static func withEvents<Value>(
        of bytes: [UInt8], _ lines: YAMLLines, _ body: (YAMLParser) throws(YAMLError) -> Value
    ) throws(YAMLError) -> Value {
        let library = try YAMLLibrary.shared.get()
        let parser = YAMLLibrary.Parser.allocate(capacity: 1)
        parser.initialize(to: omb_yaml_parser())
        defer { parser.deallocate() }
        guard library.initialize(parser) == 1 else { throw Self.noMemory }
        defer { library.delete(parser) }
        library.setEncoding(parser, CInt(OMB_YAML_UTF8))
        // One byte more than is read: libyaml aborts for an address that is nil, and an empty array may have none.
        return try (bytes + [0]).withUnsafeBufferPointer { text -> Result<Value, YAMLError> in
            library.setInput(parser, text.baseAddress, bytes.count)
            return Result { () throws(YAMLError) in
                try body(YAMLParser(library: library, parser: parser, lines: lines))
            }
        }.get()
    }

    /// Returns the next event.
    func next() throws(YAMLError) -> YAMLEvent {
        var event = omb_yaml_event()
        guard library.parse(parser, &event) == 1 else { throw problem }
        defer { library.deleteEvent(&event) }
        return YAMLEvent(event, lines)
    }

    private var problem: YAMLError {
        let reason = parser.pointee.problem.map { String(cString: $0) } ?? "not read"
        switch Int(parser.pointee.error) {
        case OMB_YAML_MEMORY_ERROR: return Self.noMemory
        case OMB_YAML_READER_ERROR: return YAMLError(offset: parser.pointee.problem_offset, reason: reason)
        default:
            let mark = parser.pointee.problem_mark
            return YAMLError(offset: lines.offset(line: mark.line + 1, column: mark.column + 1), reason: reason)
        }
    }

    private static var noMemory: YAMLError { YAMLError(offset: 0, reason: "there is not enough memory") }
}
