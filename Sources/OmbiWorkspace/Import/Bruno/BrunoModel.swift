/// A request of Bruno, whichever of its three formats it was read from.
struct BrunoRequest: Sendable {
    var scope = BrunoScope()
    var name = ""
    /// In the bytes of its file.
    var offset = 0
    /// `http`, `graphql`, `grpc`, `ws`
    var kind = "http"
    var tags: [String] = []
    var method = ""
    var url = ""
    var urlOffset = 0
    var query: [BrunoRow] = []
    var pathParameters: [BrunoRow] = []
    var body = BrunoBody()
    /// The name of each is its expression, the value an operator and its operand.
    var assertions: [BrunoRow] = []
    var settings: [String: String] = [:]
    var examples: [SavedExample] = []
    /// The number of saved responses that are left out.
    var lostExamples = 0
    /// Those that are kept, and not sent.
    var unused: [BrunoPart] = []

    /// True for one over HTTP.
    var isHTTP: Bool { ["http", "graphql", "http-request", "graphql-request", ""].contains(kind) }
    var isGraphQL: Bool { kind.hasPrefix("graphql") }

    /// False for the name of something that is no request.
    static func isKind(_ kind: String) -> Bool {
        [
            "http", "graphql", "grpc", "ws", "websocket", "http-request", "graphql-request", "grpc-request",
            "ws-request",
        ].contains(kind)
    }
}

/// The parts that collections, folders and requests have alike.
struct BrunoScope: Sendable {
    var headers: [BrunoRow] = []
    var variables: [BrunoRow] = []
    /// Variables that take their values from the response; the value of each is an expression.
    var captures: [BrunoRow] = []
    var scripts: [BrunoScript] = []
    /// Nil where nothing is said.
    var credentials: BrunoCredentials?
    var documentation = ""
}

/// A header, a parameter, a field, a variable or an assertion.
struct BrunoRow: Sendable {
    var name: String
    var value: String
    var isEnabled = true
    /// In the bytes of its file.
    var offset: Int
    /// The paths of a part that sends files; nil for a text.
    var files: [String]?
    var contentType: String?
    var isSecret = false
    var description = ""
}

struct BrunoScript: Sendable {
    /// True for one that runs before the request is sent.
    var runsBefore: Bool
    var text: String
    var offset: Int
}

struct BrunoCredentials: Sendable {
    var mode: String
    /// Those in objects have their own names, too.
    var values: [String: String] = [:]
    var offset: Int

    /// Returns the first value of these names that is not empty.
    func value(_ names: [String]) -> String {
        names.lazy.compactMap { values[$0] }.first { !$0.isEmpty } ?? ""
    }
}

/// A part of a file by its name there.
struct BrunoPart: Sendable {
    var name: String
    var offset: Int
}

/// The bodies of a request, of which one is sent.
struct BrunoBody: Sendable {
    struct Text: Sendable {
        var text: String
        var offset: Int
    }

    /// The one that is sent, by its name in `.bru` files.
    var mode = "none"
    var modeOffset = 0
    var texts: [String: Text] = [:]
    var rows: [String: [BrunoRow]] = [:]

    /// The name in `.bru` files for one of a JSON export.
    static func mode(_ word: String) -> String {
        switch word {
        case "": "none"
        case "formUrlEncoded": "form-urlencoded"
        case "multipartForm": "multipart-form"
        case "binary": "file"
        default: word
        }
    }
}
