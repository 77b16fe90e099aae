import OmbiCore
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of the environment: their names and attributes, without their values.
enum CookiesTab {
    static func title(_ cookies: [KeptCookie]?) -> String {
        guard let count = cookies?.count, count > 0 else { return "Cookies" }
        return "Cookies \(count)"
    }

    /// A row for each cookie, so that the row under the cursor is one.
    static func rows(_ cookies: [KeptCookie]?) -> [ResponseRow] {
        guard let cookies else {
            return [.hint("No cookies are kept here. \"cookies\" in the tab Connection keeps them.")]
        }
        guard !cookies.isEmpty else { return [.hint("The jar is empty.")] }
        let columns = min(28, cookies.map { TextWidth.of($0.name) }.max() ?? 0)
        return cookies.map { cookie in
            ResponseRow(
                [
                    Span(text: cookie.name.padded(to: columns) + "  ", role: .key),
                    Span(text: LogMask.mask, role: .plain), Span(text: "  " + place(of: cookie), role: .plain),
                    Span(text: "  " + attributes(of: cookie), role: .dim),
                ], .value(cookie.name, named: "the name of the cookie"))
        }
    }

    /// `api.example.com/v2`; with a dot in front where subdomains get it, too.
    static func place(of cookie: KeptCookie) -> String {
        (cookie.isHostOnly ? "" : ".") + cookie.domain + cookie.path
    }

    private static func attributes(of cookie: KeptCookie) -> String {
        let parts = [
            cookie.expiresAt.map { "until \($0.shortText)" } ?? "session", cookie.isSecure ? "Secure" : nil,
            cookie.isHTTPOnly ? "HttpOnly" : nil, cookie.sameSite.map { "SameSite=\($0.rawValue)" },
        ]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }
}

extension Date {
    /// `2026-11-23 08:11 UTC`
    var shortText: String {
        let style = Date.ISO8601FormatStyle.iso8601.year().month().day().dateTimeSeparator(.space)
        return formatted(style.time(includingFractionalSeconds: false)).prefix(16) + " UTC"
    }
}
