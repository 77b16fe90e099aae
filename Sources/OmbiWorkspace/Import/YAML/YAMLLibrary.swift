internal import CYAML
internal import OmbiBase

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
