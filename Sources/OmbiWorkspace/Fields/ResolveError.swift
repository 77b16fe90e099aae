/// The error of a saved request that cannot be sent as it is. `Resolver` masks the secrets in it before it leaves this
/// module.
package struct ResolveError: Error, Sendable, Equatable {
    package var request: String
    /// The invalid part: `path`, `header "Accept"`, `body $.user.name`, …
    package var field: String
    package var reason: String
    /// The variable that another request has to capture first.
    var missingCapture: String?
    var missingSecret: MissingSecret?
    /// The secret whose variable of the environment is not set.
    var unset: MissingSecret?
    /// The flows that have to be granted before it is sent.
    var missingGrants: [Flow] = []
}

extension ResolveError: CustomStringConvertible {
    package var description: String { "\(request): \(field): \(reason)" }
}

/// Fills in the templates of a text. The field names the text in an error.
typealias TemplateFill = (_ text: String, _ field: String) throws(ResolveError) -> String

extension Field {
    /// Returns the enabled fields with their names and values filled in.
    /// - Parameter kind: what an error calls a field, before its name: `header`, `form field`.
    static func filled(
        _ fields: [Field], _ kind: String, _ fill: TemplateFill
    ) throws(ResolveError) -> [Field] {
        var result: [Field] = []
        for field in fields where field.enabled {
            let place = "\(kind) \"\(field.name)\""
            result.append(Field(try fill(field.name, place), try fill(field.value, place)))
        }
        return result
    }
}
