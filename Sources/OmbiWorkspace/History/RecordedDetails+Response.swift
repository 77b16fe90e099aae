import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response of a run beside its body, the verdict, and the TLS connection.
extension RecordedDetails {
    static func json(_ result: SessionResult) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let headers = result.receivedResponse?.headers { members.append(.init("headers", json(headers))) }
        if !result.failures.isEmpty { members.append(.init("failures", .array(result.failures.map(JSONValue.string)))) }
        if !result.expectations.isEmpty {
            members.append(.init("expectations", .array(result.expectations.map(json))))
        }
        if !result.captured.isEmpty { members.append(.init("captured", .array(result.captured.map(json)))) }
        if let target = result.prepared?.redirectedTo {
            members.append(.init("redirectedTo", .string(LogMask.url(target))))
        }
        if let redirects = result.prepared?.redirects, !redirects.isEmpty {
            members.append(.init("redirects", .array(redirects.map(json))))
        }
        if let tls = result.report?.attempts.last?.metrics.tls { members.append(.init("tls", json(tls))) }
        if let coding = result.report?.attempts.last?.metrics.unknownCoding {
            members.append(.init("unknownCoding", .string(coding)))
        }
        if let pages = result.pages {
            let expected = pages.expected.map { [JSONValue.number($0)] } ?? []
            members.append(.init("pages", .array([.number(pages.count), .bool(pages.hasMore)] + expected)))
        }
        if let fallback = result.fallback { members.append(.init("fallback", json(fallback))) }
        if let missed = result.report?.attempts.last?.missedRetry { members.append(.init("missedRetry", json(missed))) }
        if let end = result.prepared?.endedAt { members.append(.init("endedAt", .number(end.microseconds))) }
        return .object(members)
    }

    /// Completes a result of which the ending and the attempts are known.
    static func read(_ json: JSONValue, into result: inout SessionResult) {
        result.failures = (json["failures"]?.elements ?? []).compactMap(\.stringValue)
        result.expectations = (json["expectations"]?.elements ?? []).compactMap(expectation)
        result.captured = (json["captured"]?.elements ?? []).compactMap(captured)
        result.prepared?.redirectedTo = json["redirectedTo"]?.stringValue
        result.prepared?.redirects = (json["redirects"]?.elements ?? []).compactMap(redirect)
        result.prepared?.endedAt = json["endedAt"]?.storedDate
        result.fallback = json["fallback"].flatMap(fallback)
        if let pages = json["pages"]?.elements, let count = pages.first?.storedCount {
            result.pages = PageSummary(
                count: count, expected: pages.count > 2 ? pages[2].storedCount : nil,
                hasMore: pages.count > 1 && pages[1] == .bool(true))
        }
        guard var report = result.report, var last = report.attempts.popLast() else { return }
        if let tls = json["tls"] { last.metrics.tls = self.tls(tls) }
        last.metrics.unknownCoding = json["unknownCoding"]?.stringValue
        last.missedRetry = json["missedRetry"].flatMap(missedRetry)
        report.attempts.append(last)
        result.report = report
    }

    // MARK: The retry that was not made

    private static func json(_ missed: MissedRetry) -> JSONValue {
        let parts = [
            missed.wait.wholeMicroseconds, AttemptCode.index(of: missed.reason), missed.slaLeft.wholeMicroseconds,
        ]
        return .array((parts + (missed.maximum.map { [$0.wholeMicroseconds] } ?? [])).map { .number($0) })
    }

    private static func missedRetry(_ json: JSONValue) -> MissedRetry? {
        guard let parts = json.elements, (3...4).contains(parts.count), let wait = parts[0].storedDuration,
            let reason = parts[1].integerValue, let left = parts[2].storedDuration
        else { return nil }
        return MissedRetry(
            wait: wait, reason: AttemptCode.waitReason(reason), slaLeft: left,
            maximum: parts.count > 3 ? parts[3].storedDuration : nil)
    }

    // MARK: Fallback

    /// Without the body, which is that of another run or of a file.
    private static func json(_ fallback: Fallback) -> JSONValue {
        switch fallback {
        case .missing(let reason): return .object([.init("missing", .string(reason))])
        case .response(let response):
            let source: JSONValue.Member =
                switch response.source {
                case .run(let id): .init("run", .number(id))
                case .file(let path): .init("file", .string(path))
                }
            let status = response.response.statusCode.map { [JSONValue.Member("status", .number($0))] } ?? []
            return .object(
                [
                    source, .init("date", .number(response.date.microseconds)),
                    .init("age", .number(response.age.wholeMicroseconds)),
                ] + status)
        }
    }

    private static func fallback(_ json: JSONValue) -> Fallback? {
        if let reason = json["missing"]?.stringValue { return .missing(reason) }
        let source =
            json["run"]?.integerValue.map { FallbackResponse.Source.run($0) }
            ?? json["file"]?.stringValue.map { .file($0) }
        guard let source, let date = json["date"]?.storedDate else { return nil }
        return .response(
            FallbackResponse(
                source, date: date, age: json["age"]?.storedDuration ?? .zero,
                response: TransportResponse(statusCode: json["status"]?.storedStatus)))
    }

    // MARK: Headers and redirects

    static func json(_ headers: RequestHeaders) -> JSONValue {
        .array(
            headers.fields.map { field in
                .array([.string(field.key.name), .string(field.key.isSensitive ? LogMask.mask : field.value.text)])
            })
    }

    static func headers(_ json: JSONValue?) -> RequestHeaders {
        RequestHeaders(
            (json?.elements ?? []).compactMap { field in
                guard let parts = field.elements, parts.count == 2, let name = parts[0].stringValue,
                    let value = parts[1].stringValue
                else {
                    return nil
                }
                return .init(.init(name), .init(value))
            })
    }

    private static func json(_ redirect: FollowedRedirect) -> JSONValue {
        .object(
            [
                .init("status", .number(redirect.statusCode)), .init("headers", json(redirect.headers)),
                .init("target", .string(LogMask.url(redirect.target))),
                .init("method", .string(redirect.method.rawValue)),
                .init("withheld", .array(redirect.withheld.map(JSONValue.string))),
                .init("duration", .number(redirect.duration.wholeMicroseconds)),
            ] + (redirect.remoteAddress.map { [.init("address", .string($0))] } ?? []))
    }

    private static func redirect(_ json: JSONValue) -> FollowedRedirect? {
        guard let status = json["status"]?.storedStatus, let target = json["target"]?.stringValue else { return nil }
        return FollowedRedirect(
            statusCode: status, headers: headers(json["headers"]), target: target,
            method: RequestMethod(stringLiteral: json["method"]?.stringValue ?? "GET"),
            withheld: (json["withheld"]?.elements ?? []).compactMap(\.stringValue),
            duration: json["duration"]?.storedDuration ?? .zero, remoteAddress: json["address"]?.stringValue)
    }

    // MARK: Verdict

    private static func json(_ result: ExpectationResult) -> JSONValue {
        let place: [JSONValue] =
            switch result.place {
            case .status: [.string("status")]
            case .time: [.string("time")]
            case .size: [.string("size")]
            case .certificate: [.string("certificate")]
            case .header(let name): [.string("header"), .string(name)]
            case .body(let offset): [.string("body")] + (offset.map { [.number($0)] } ?? [])
            }
        return .object([
            .init("place", .array(place)), .init("subject", .string(result.subject)),
            .init("expected", .string(result.expected)), .init("found", .string(result.found)),
            .init("isMet", .bool(result.isMet)),
        ])
    }

    private static func expectation(_ json: JSONValue) -> ExpectationResult? {
        guard let parts = json["place"]?.elements, let kind = parts.first?.stringValue,
            let subject = json["subject"]?.stringValue
        else {
            return nil
        }
        let place: ExpectationResult.Place
        switch kind {
        case "status": place = .status
        case "time": place = .time
        case "size": place = .size
        case "certificate": place = .certificate
        case "header": place = .header(parts.last?.stringValue ?? "")
        case "body": place = .body(offset: parts.last?.storedCount)
        default: return nil
        }
        return ExpectationResult(
            place, subject, expected: json["expected"]?.stringValue ?? "", found: json["found"]?.stringValue ?? "",
            isMet: json["isMet"] == .bool(true))
    }

    private static func json(_ value: CapturedValue) -> JSONValue {
        let isSecret = value.isSecret || RequestHeaders.Key(value.name).isSensitive
        return .object([
            .init("name", .string(value.name)), .init("value", .string(isSecret ? LogMask.mask : value.value)),
            .init("isSecret", .bool(value.isSecret)), .init("request", .string(value.request)),
            .init("source", .string(value.source)),
        ])
    }

    private static func captured(_ json: JSONValue) -> CapturedValue? {
        guard let name = json["name"]?.stringValue else { return nil }
        return CapturedValue(
            name: name, value: json["value"]?.stringValue ?? "", isSecret: json["isSecret"] == .bool(true),
            request: json["request"]?.stringValue ?? "", source: json["source"]?.stringValue ?? "")
    }

    // MARK: TLS

    private static func json(_ report: TLSReport) -> JSONValue {
        var members: [JSONValue.Member] = [.init("isVerified", .bool(report.isVerified))]
        if let version = report.version { members.append(.init("version", .string(version))) }
        if let cipher = report.cipher { members.append(.init("cipher", .string(cipher))) }
        members.append(.init("certificates", .array(report.certificates.map(json))))
        return .object(members)
    }

    private static func json(_ certificate: TLSReport.Certificate) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("subject", .string(certificate.subject)), .init("issuer", .string(certificate.issuer)),
            .init("names", .array(certificate.names.map(JSONValue.string))),
        ]
        if let start = certificate.notBefore { members.append(.init("notBefore", .number(start.microseconds))) }
        if let end = certificate.notAfter { members.append(.init("notAfter", .number(end.microseconds))) }
        return .object(members)
    }

    private static func tls(_ json: JSONValue) -> TLSReport {
        TLSReport(
            version: json["version"]?.stringValue, cipher: json["cipher"]?.stringValue,
            certificates: (json["certificates"]?.elements ?? []).map { certificate in
                .init(
                    subject: certificate["subject"]?.stringValue ?? "",
                    issuer: certificate["issuer"]?.stringValue ?? "",
                    names: (certificate["names"]?.elements ?? []).compactMap(\.stringValue),
                    notBefore: certificate["notBefore"]?.storedDate,
                    notAfter: certificate["notAfter"]?.storedDate)
            }, isVerified: json["isVerified"] == .bool(true))
    }
}
