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

/// The functions of libyaml that Ombi calls, loaded with the first YAML text.
struct YAMLLibrary: Sendable {
    typealias Parser = UnsafeMutablePointer<omb_yaml_parser>
    typealias Event = UnsafeMutablePointer<omb_yaml_event>

    let initialize: @convention(c) @Sendable (Parser?) -> CInt
    let setInput: @convention(c) @Sendable (Parser?, UnsafePointer<UInt8>?, Int) -> Void
    let setEncoding: @convention(c) @Sendable (Parser?, CInt) -> Void
    /// Clears the event first, whatever is in it.
    let parse: @convention(c) @Sendable (Parser?, Event?) -> CInt
    let deleteEvent: @convention(c) @Sendable (Event?) -> Void
    let delete: @convention(c) @Sendable (Parser?) -> Void

    /// Loaded once.
    static let shared: Result<YAMLLibrary, YAMLError> = Result { () throws(YAMLError) in
        try YAMLLibrary(YAMLLibrary.names)
    }

    #if canImport(Darwin)
    private static let names = ["libyaml-0.2.dylib", "/opt/homebrew/lib/libyaml-0.2.dylib", "libyaml.dylib"]
    private static let advice = "brew install libyaml"
    #else
    private static let names = ["libyaml-0.so.2"]
    private static let advice = "apt-get install libyaml-0-2"
    #endif

    init(_ names: [String]) throws(YAMLError) {
        guard let library = SharedLibrary(names) else {
            throw YAMLError(offset: 0, reason: "libyaml could not be loaded; install it with: \(Self.advice)")
        }
        initialize = try Self.find("yaml_parser_initialize", in: library)
        setInput = try Self.find("yaml_parser_set_input_string", in: library)
        setEncoding = try Self.find("yaml_parser_set_encoding", in: library)
        parse = try Self.find("yaml_parser_parse", in: library)
        deleteEvent = try Self.find("yaml_event_delete", in: library)
        delete = try Self.find("yaml_parser_delete", in: library)
    }

    /// Returns a function; the caller gives its C type, as yaml.h declares it.
    private static func find<Function>(_ name: String, in library: SharedLibrary) throws(YAMLError) -> Function {
        guard let function: Function = library.find(name) else {
            throw YAMLError(offset: 0, reason: "the libyaml of this system is too old: it has no \(name)")
        }
        return function
    }
}

/// The library that reads YAML.
package enum YAMLSupport {
    /// The reason why YAML is not read; nil if it is. Loads the library.
    package static var problem: String? {
        if case .failure(let error) = YAMLLibrary.shared { error.reason } else { nil }
    }
}

/// An event of libyaml's parser, copied out of its memory.
struct YAMLEvent: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case alias(String)
        /// The anchor is the name that aliases have for the value.
        case scalar(YAMLTree.Scalar, anchor: String?)
        case sequenceStart(anchor: String?)
        case mappingStart(anchor: String?)
        /// The end of the list or the object that began last.
        case end
        case streamEnd
        /// The beginning of the stream, the beginning or the end of a document.
        case other
    }

    let kind: Kind
    /// In bytes.
    let offset: Int
    /// The tag of a value that is none of YAML's own, such as `!request`.
    let tag: String?

    init(_ event: omb_yaml_event, _ lines: YAMLLines) {
        kind = Self.kind(event)
        tag = Self.localTag(event)
        offset = lines.offset(line: event.start_mark.line + 1, column: event.start_mark.column + 1)
    }

    /// Only the events of values have pointers in the members that are read here.
    private static func kind(_ event: omb_yaml_event) -> Kind {
        switch Int(event.type) {
        case OMB_YAML_ALIAS: .alias(text(event.anchor) ?? "")
        case OMB_YAML_SCALAR: .scalar(scalar(event), anchor: text(event.anchor))
        case OMB_YAML_SEQUENCE_START: .sequenceStart(anchor: text(event.anchor))
        case OMB_YAML_MAPPING_START: .mappingStart(anchor: text(event.anchor))
        case OMB_YAML_SEQUENCE_END, OMB_YAML_MAPPING_END: .end
        case OMB_YAML_STREAM_END: .streamEnd
        default: .other
        }
    }

    private static func scalar(_ event: omb_yaml_event) -> YAMLTree.Scalar {
        let prefix = "tag:yaml.org,2002:"
        let tag = text(event.tag)
        let isResolved = tag.map { tag in ["int", "float", "bool", "null"].contains { tag == prefix + $0 } } ?? true
        return YAMLTree.Scalar(
            text: String(decoding: UnsafeBufferPointer(start: event.value, count: event.length), as: UTF8.self),
            isPlain: Int(event.style) == OMB_YAML_PLAIN, isResolved: event.quoted_implicit == 0 && isResolved)
    }

    private static func localTag(_ event: omb_yaml_event) -> String? {
        switch Int(event.type) {
        case OMB_YAML_SCALAR, OMB_YAML_SEQUENCE_START, OMB_YAML_MAPPING_START:
            text(event.tag).flatMap { $0.hasPrefix("!") && $0.count > 1 ? $0 : nil }
        default: nil
        }
    }

    private static func text(_ pointer: UnsafePointer<UInt8>?) -> String? { pointer.map { String(cString: $0) } }
}
