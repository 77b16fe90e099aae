/// A value that a request captured from its response, for the variable of its name.
package struct CapturedValue: Sendable, Equatable {
    package var name: String
    /// Masked outside this module if it is secret.
    package var value: String
    package var isSecret: Bool
    package var request: String
    /// The part of the response that it comes from: `$.token`, `header ETag`.
    package var source: String
    /// True for a stand-in of a value that was not captured.
    var isSample = false
    /// The source for grants when the value is sent on; nil for a value that may go anywhere.
    var provenance: Source?

    package init(name: String, value: String, isSecret: Bool = false, request: String, source: String) {
        self.name = name
        self.value = value
        self.isSecret = isSecret
        self.request = request
        self.source = source
    }

    /// `captured` in `schema/run.schema.json`, masked if it is a secret or named like one.
    var json: JSONValue {
        let isHidden = isSecret || RequestHeaders.Key(name).isSensitive
        return [
            "name": .string(name), "value": .string(isHidden ? LogMask.mask : value), "source": .string(source),
        ]
    }
}

/// The captured values of one run, and the variables that requests capture.
package struct CapturedScope: Sendable, Equatable {
    package var values: [String: CapturedValue] = [:]
    /// The name of the first request that captures each variable.
    package var requests: [String: String] = [:]
    /// The variables that only a waiting request can capture; a variable of the file is used instead.
    var circular: Set<String> = []

    package init() {}

    /// A shorter secret would occur in unrelated texts.
    private static let minimumLength = 6

    /// The secrets that are masked even in requests that do not use them: a server may repeat a token anywhere.
    var unusedSecrets: [String] {
        values.values.filter { $0.isSecret && !$0.isSample && $0.value.utf8.count >= Self.minimumLength }
            .map(\.value).sorted()
    }

    /// Returns a URL with the names of stand-ins in template form, and not percent-encoded.
    func namingSamples(in url: String) -> String {
        values.values.filter(\.isSample).reduce(url) {
            $0.replacing(PercentEncoding.escapeParameter($1.value), with: $1.value)
        }
    }

    init(_ values: [String: CapturedValue], requests: [String: String], circular: Set<String> = []) {
        self.values = values
        self.requests = requests
        self.circular = circular
    }
}
