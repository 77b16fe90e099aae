import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The time of day in the forms that HTTP and JSON use, always UTC and in English.
enum Clock {
    /// RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func httpDate(_ now: time_t = time(nil)) -> String { format(now, "%a, %d %b %Y %H:%M:%S GMT") }

    /// RFC 3339: `1994-11-06T08:49:37Z`.
    static func timestamp(_ now: time_t = time(nil)) -> String { format(now, "%Y-%m-%dT%H:%M:%SZ") }

    private static func format(_ now: time_t, _ format: String) -> String {
        var seconds = now
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let length = strftime(&text, text.count, format, &parts)
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
