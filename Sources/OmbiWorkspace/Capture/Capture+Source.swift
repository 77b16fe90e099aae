import OmbiCore
import OmbiDocument

extension Capture {
    /// The part of a response.
    public enum Source: Sendable, Hashable {
        /// The one value that a JSONPath selects in the body.
        case path(String)
        /// The value of a header.
        case header(String)
        /// The value of a cookie that the response sets.
        case cookie(String)
        /// The status code.
        case status
        /// The first group of a regular expression in the text of the body; without groups, all that it matches.
        case regex(String)
    }
}

extension Capture.Source {
    /// The keys in the file; one of them names the source.
    static let keys = ["path", "header", "cookie", "status", "regex"]

    /// A line of text, with the key before all but a path: `$.token`, `header ETag`, `status`.
    public var text: String {
        switch self {
        case .path(let path): path
        case .header(let name): "header \(name)"
        case .cookie(let name): "cookie \(name)"
        case .status: "status"
        case .regex(let pattern): "regex \(pattern)"
        }
    }

    /// Reads a source from that form.
    public init(_ text: String) throws(FieldError) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count == 2 ? String(words[1].drop { $0 == " " }) : ""
        switch words.first {
        case _ where text.hasPrefix("$"): self = .path(text)
        case "path" where !rest.isEmpty: self = .path(rest)
        case "header" where !rest.isEmpty: self = .header(rest)
        case "cookie" where !rest.isEmpty: self = .cookie(rest)
        case "regex" where !rest.isEmpty: self = .regex(rest)
        case "status" where rest.isEmpty: self = .status
        default:
            throw FieldError("write a JSONPath such as $.token, header NAME, cookie NAME, status, or regex PATTERN")
        }
        try check()
    }

    /// Throws for an expression that can find nothing.
    func check() throws(FieldError) {
        switch self {
        case .path(let path):
            do throws(JSONPathError) { _ = try JSONPath(path) } catch {
                throw FieldError("\(path) is no JSONPath: \(error)")
            }
        case .header(let name): if !HeaderCheck.isToken(name) { throw FieldError(HeaderCheck.nameForm) }
        case .regex(let pattern):
            do throws(PatternError) { _ = try GroupPattern(pattern) } catch {
                throw FieldError("\(pattern) is no regular expression: \(error)")
            }
        case .cookie, .status: break
        }
    }
}
