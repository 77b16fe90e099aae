import OmbiCore

/// The query of a request: each parameter in the bytes that are sent for it, and as text.
struct ResolvedQuery: Sendable, Equatable {
    struct Parameter: Sendable, Equatable {
        /// Decoded; the value is empty without a `=`.
        let name: String
        let value: String
        /// As it is sent: `name=value`, or what a URL has written for it.
        let encoded: String

        init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
            encoded = PercentEncoding.escapeParameter(name) + "=" + PercentEncoding.escapeParameter(value)
        }

        init(encoded: Substring) {
            let name = encoded.prefix { $0 != "=" }
            self.name = PercentEncoding.unescapeForm(name)
            value = PercentEncoding.unescapeForm(encoded[name.endIndex...].dropFirst())
            self.encoded = String(encoded)
        }
    }

    private(set) var parameters: [Parameter] = []

    init() {}

    /// Splits a query that is percent-encoded already, and is sent as it is.
    init(encoded: String) {
        parameters = encoded.split(separator: "&", omittingEmptySubsequences: false).map(Parameter.init(encoded:))
    }

    /// The query as it is sent; nil for none.
    var encoded: String? { parameters.isEmpty ? nil : parameters.map(\.encoded).joined(separator: "&") }

    /// The value of the first parameter of a name; setting it adds the parameter where there is none.
    subscript(name: String) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            guard let newValue else { return parameters.removeAll { $0.name == name } }
            guard let index = parameters.firstIndex(where: { $0.name == name }) else { return append(name, newValue) }
            parameters[index] = Parameter(name, newValue)
        }
    }

    mutating func append(_ name: String, _ value: String) {
        // Behind `?` and `&` a parameter needs no other separator.
        if parameters.last?.encoded.isEmpty ?? false { parameters.removeLast() }
        parameters.append(Parameter(name, value))
    }
}
