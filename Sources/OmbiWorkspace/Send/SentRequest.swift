import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request as it goes out, with every secret masked.
public struct SentRequest: Equatable, Sendable {
    public var url: String
    public var method: RequestMethod
    public var headers: [Line]
    public var body: String?
    public var sla: Duration
    public var attempts: Int
    /// Checked when the run has ended.
    public var expectation: Expectation?
    /// The URL of the response, if redirects led elsewhere.
    public var redirectedTo: String?

    public struct Line: Equatable, Sendable {
        public var name: String
        public var value: String
        /// The source of the header, when not the request itself.
        public var origin: String?
    }

    init(
        url: String, method: RequestMethod, headers: [Line], body: String? = nil, sla: Duration, attempts: Int,
        expectation: Expectation? = nil, redirectedTo: String? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.sla = sla
        self.attempts = attempts
        self.expectation = expectation
        self.redirectedTo = redirectedTo
    }
}

extension SentRequest {
    init(_ resolved: ResolvedRequest) {
        let redactor = resolved.redactor
        let query = resolved.query.map {
            PercentEncoding.escapeParameter($0.name) + "=" + PercentEncoding.escapeParameter($0.value ?? "")
        }
        let inherited = resolved.inherited.filter(\.isSent).map {
            Line(name: $0.name, value: $0.value, origin: "from environment \($0.environment)")
        }
        self.init(
            url: redactor.redact(
                resolved.host + resolved.path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))),
            method: resolved.method,
            headers: resolved.headers.fields.map {
                Line(name: redactor.redact($0.key.name), value: redactor.redact($0.value.text), origin: nil)
            } + inherited,
            body: resolved.body.map { redactor.redact(String(decoding: $0, as: UTF8.self)) },
            sla: resolved.sla, attempts: resolved.retry.retries + 1, expectation: resolved.expectation)
    }

    /// The same as it went on the wire; nil when the request could not be built.
    init?(_ resolved: ResolvedRequest, _ report: RequestReport) {
        guard let wire = report.request else { return nil }
        self.init(resolved)
        let redactor = resolved.redactor
        let known = headers
        url = redactor.redact(wire.url.absoluteString)
        headers = wire.headers.fields.map { field in
            let name = redactor.redact(field.key.name)
            let line = known.first { $0.name.lowercased() == name.lowercased() }
            let value = redactor.redact(field.value.text)
            return Line(name: name, value: value, origin: line == nil ? "added by ombi" : line?.origin)
        }
        let final = report.attempts.last?.response?.url
        redirectedTo = final.flatMap { $0 == wire.url ? nil : redactor.redact($0.absoluteString) }
    }
}
