import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a request.
extension Resolution {
    mutating func body() throws(ResolveError) -> (data: Data, type: String)? {
        switch request.body {
        case nil: return nil
        case .json(let value):
            let filled = try fill(value, at: "$")
            return (Data(filled.compact.utf8), "application/json")
        case .text(let text, let contentType):
            let type = try contentType.map { text throws(ResolveError) in try fill(text, "body content type") }
            return (Data(try fill(text, "body").utf8), type ?? "text/plain; charset=utf-8")
        case .form(let fields):
            let pairs = try filled(fields, "form field").map { field in
                PercentEncoding.escapeForm(field.name) + "=" + PercentEncoding.escapeForm(field.value)
            }
            return (Data(pairs.joined(separator: "&").utf8), "application/x-www-form-urlencoded")
        }
    }

    /// Fills in the templates in the value's strings and keys. A string stays a string.
    private mutating func fill(_ value: JSONValue, at path: String) throws(ResolveError) -> JSONValue {
        switch value {
        case .string(let text): return .string(try fill(text, "body \(path)"))
        case .array(let elements):
            var filled: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                filled.append(try fill(element, at: "\(path)[\(index)]"))
            }
            return .array(filled)
        case .object(let members):
            var filled: [JSONValue.Member] = []
            for member in members {
                let place = "\(path).\(member.key)"
                let key = try fill(member.key, "body \(place)")
                filled.append(JSONValue.Member(key, try fill(member.value, at: place)))
            }
            return .object(filled)
        case .null, .bool, .number: return value
        }
    }
}
