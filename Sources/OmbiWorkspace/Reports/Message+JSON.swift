import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request as JSON: `request` in `schema/run.schema.json`.
extension PreparedRequest {
    package var json: JSONValue {
        [
            "method": .string(method.rawValue), "url": .string(url),
            "headers": .array(headers.map { JSONValue.pair($0.name, $0.value) }), "body": .nullable(body),
        ]
    }
}

/// A response as JSON: `response` in `schema/run.schema.json`.
extension TransportResponse {
    package var json: JSONValue {
        let fields = (headers?.fields ?? []).map { JSONValue.pair($0.key.name, $0.value.text) }
        let text = body.flatMap { String(validating: $0, as: UTF8.self) }
        return ["status": .nullable(statusCode), "headers": .array(fields), "body": .nullable(text)]
    }
}
