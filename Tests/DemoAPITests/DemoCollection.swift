import Foundation
import Testing

/// `collections/demo.json`, read just far enough to send each request as it stands. Ombi's own reader is not used:
/// these tests hold the file against the server, whatever the client does.
struct DemoCollection {
    struct Item: Sendable, CustomTestStringConvertible {
        let folder: String
        let name: String
        let method: String
        /// With parameters and the query, encoded.
        let target: String
        let headers: [String]
        let body: String
        let expected: String
        let attempts: Int
        let redirects: Int

        var testDescription: String { "\(folder)/\(name)" }
    }

    struct Mistake: Error { let message: String }

    static let all: [Item] = (try? read()) ?? []

    static func read() throws -> [Item] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("collections/demo.json")
        guard let file = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any],
            let environment = (file["environments"] as? [[String: Any]])?.first(where: {
                $0["name"] as? String == "local"
            })
        else { throw Mistake(message: "demo.json has no environment “local”") }
        var variables = file["variables"] as? [String: String] ?? [:]
        variables.merge(environment["variables"] as? [String: String] ?? [:]) { $1 }
        variables.merge(["megabytes": "1", "$uuid": "00000000-0000-4000-8000-000000000000"]) { $1 }
        let common = environment["additionalHeaders"] as? [String: String] ?? [:]
        return try (file["items"] as? [[String: Any]] ?? []).flatMap { folder in
            let shared = folder["authentication"]
            return try (folder["items"] as? [[String: Any]] ?? [])
                .filter { !isComputed($0["authentication"] ?? shared) && !needsCapture($0) }.map {
                    try item($0, folder: folder["folder"] as? String ?? "", variables: variables, common: common)
                }
        }
    }

    /// True for credentials that are obtained or computed while a request is sent.
    private static func isComputed(_ authentication: Any?) -> Bool {
        guard let kinds = authentication as? [String: Any] else { return false }
        return ["digest", "oauth2", "aws"].contains { kinds[$0] != nil }
    }

    /// True for a request that is filled in from the response of another one.
    private static func needsCapture(_ request: [String: Any]) -> Bool {
        (request["authentication"] as? [String: String])?["bearer"]?.hasPrefix("{{session") ?? false
    }

    private static func item(
        _ request: [String: Any], folder: String, variables: [String: String], common: [String: String]
    ) throws -> Item {
        func fill(_ text: String) -> String {
            variables.reduce(text) { $0.replacingOccurrences(of: "{{\($1.key)}}", with: $1.value) }
        }
        guard let name = request["request"] as? String, let method = request["method"] as? String,
            let path = request["path"] as? String, request["description"] is String,
            let status = (request["expect"] as? [String: Any])?["status"]
        else { throw Mistake(message: "a request in \(folder) lacks its name, path, description or expectation") }
        var target = (request["pathParameters"] as? [String: String] ?? [:])
            .reduce(path) { $0.replacingOccurrences(of: ":\($1.key)", with: fill($1.value)) }
        let query = pairs(request["query"]).map { item in
            "\(encoded(item.name))=\(item.name == "ms" || item.name == "retryAfter" ? "0" : encoded(fill(item.value)))"
        }
        if !query.isEmpty { target += "?" + query.joined(separator: "&") }
        var headers = common
        for item in pairs(request["headers"]) { headers[item.name] = item.value }
        authenticate(request["authentication"] as? [String: Any], &headers)
        if request["authentication"] as? String == "none" { headers["Authorization"] = nil }
        let body = try self.body(request["body"] as? [String: Any], &headers)
        return Item(
            folder: folder, name: name, method: method, target: target,
            headers: headers.map { "\($0.key): \(fill($0.value))" }, body: fill(body), expected: "\(status)",
            attempts: ((request["policy"] as? [String: Any])?["retries"] as? Int ?? 0) + 1,
            redirects: (request["connection"] as? [String: Any])?["maximumRedirects"] as? Int ?? 5)
    }

    private static func pairs(_ value: Any?) -> [(name: String, value: String)] {
        (value as? [[String: Any]] ?? []).filter { $0["enabled"] as? Bool != false }
            .map { ($0["name"] as? String ?? "", $0["value"] as? String ?? "") }
    }

    private static func authenticate(_ kind: [String: Any]?, _ headers: inout [String: String]) {
        if let key = kind?["apiKey"] as? [String: String] { headers[key["name"] ?? ""] = key["value"] }
        if let token = kind?["bearer"] as? String { headers["Authorization"] = "Bearer \(token)" }
        if let basic = kind?["basic"] as? [String: String] {
            let pair = "\(basic["username"] ?? ""):\(basic["password"] ?? "")"
            headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
        }
    }

    private static func body(_ body: [String: Any]?, _ headers: inout [String: String]) throws -> String {
        guard let body else { return "" }
        if let json = body["json"] {
            headers["Content-Type"] = "application/json"
            return String(decoding: try JSONSerialization.data(withJSONObject: json), as: UTF8.self)
        }
        if let query = body["graphql"] {
            headers["Content-Type"] = "application/json"
            let members = ["query": query, "variables": body["variables"] ?? [:]]
            return String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        }
        if let text = body["text"] as? String {
            headers["Content-Type"] = body["contentType"] as? String
            return text
        }
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return pairs(body["form"]).map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
