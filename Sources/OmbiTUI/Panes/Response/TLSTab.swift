import OmbiCore
import OmbiTerminal

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The TLS connection of a response: version and cipher, what was verified, and the certificates of the server.
enum TLSTab {
    static func rows(_ run: RunState) -> [ResponseRow] {
        guard let attempt = run.finished.last else { return [] }
        guard let tls = attempt.metrics.tls else {
            guard run.response != nil else { return [] }
            return [.hint("No TLS: the request went over plain HTTP.")]
        }
        let names = attempt.metrics.remoteAddress.map { [($0, "Address")] } ?? []
        let facts =
            names
            + [(tls.version, "Version"), (tls.cipher, "Cipher")].compactMap { text, name in
                text.map { ($0, name) }
            }
        return [verdict(tls, attempt)] + facts.map { row($0.1, $0.0) } + certificates(tls, at: run.sent?.endedAt)
    }

    private static func verdict(_ tls: TLSReport, _ attempt: AttemptReport) -> ResponseRow {
        if tls.isVerified { return ResponseRow([Span(text: "✓ verified", role: .success)]) }
        // Without a version there was no connection.
        if tls.version == nil, let code = attempt.errorCode {
            let words = code == .certificateNotTrusted ? "✗ not trusted" : "✗ no secure connection"
            return ResponseRow([
                Span(text: words, role: .failure), Span(text: ": nothing was sent to this server", role: .dim),
            ])
        }
        return ResponseRow([
            Span(text: "✗ TLS not verified", role: .warning),
            Span(text: ": verifyTLS is false in the environment", role: .dim),
        ])
    }

    private static func certificates(_ tls: TLSReport, at now: Date?) -> [ResponseRow] {
        guard !tls.certificates.isEmpty else {
            return [ResponseRow([]), ResponseRow([Span(text: "The transport reports no certificates.", role: .dim)])]
        }
        return tls.certificates.enumerated().flatMap { index, certificate in
            let title =
                tls.certificates.count == 1 ? "Certificate" : "Certificate \(index + 1) of \(tls.certificates.count)"
            return [ResponseRow([]), ResponseRow([Span(text: title, role: .title)])]
                + [
                    row("Subject", certificate.subject), row("Issuer", certificate.issuer),
                    row("Names", certificate.names.joined(separator: ", ")),
                    row("Valid from", certificate.notBefore.map(\.shortText) ?? ""),
                    row("Valid until", certificate.notAfter.map(\.shortText) ?? "", life(certificate, at: now)),
                ].filter { $0.content != .value("", named: "") }
        }
    }

    /// `in 42 days`; for one that is not valid, why.
    private static func life(_ certificate: TLSReport.Certificate, at now: Date?) -> Span? {
        guard let now else { return nil }
        if let start = certificate.notBefore, start > now { return Span(text: "not valid yet", role: .failure) }
        guard let end = certificate.notAfter else { return nil }
        let days = Int((end.timeIntervalSince(now) / 86_400).rounded(.down))
        if end < now { return Span(text: "expired \(Count.of(max(1, -days), "day")) ago", role: .failure) }
        return Span(text: "in \(Count.of(days, "day"))", role: days < Self.soon ? .warning : .dim)
    }

    /// Days in which a certificate should be renewed.
    private static let soon = 14

    /// Nothing for an empty value.
    private static func row(_ name: String, _ value: String, _ note: Span? = nil) -> ResponseRow {
        guard !value.isEmpty else { return ResponseRow([], .value("", named: "")) }
        let spans = [Span(text: name.padded(to: 11) + "  ", role: .key), Span(text: value, role: .plain)]
        return ResponseRow(
            spans + (note.map { [Span(text: "  ", role: .plain), $0] } ?? []), .value(value, named: name))
    }
}
