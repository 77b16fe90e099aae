/// The tags that HTML lets an element omit (HTML Standard, section 13.1.2), as far as indentation depends on them.
struct HTMLRule: Sendable {
    /// True if the element has no end tag.
    var isVoid = false
    /// True if the content is not markup.
    var isRaw = false
    /// The elements that end where this one begins, if one of them is the innermost.
    var ended: [HTMLName] = []

    static func of(_ name: HTMLName) -> HTMLRule { all[name] ?? none }

    private static let none = HTMLRule()

    private static let all: [HTMLName: HTMLRule] = {
        var all: [HTMLName: HTMLRule] = [:]
        for name in void { all[name, default: none].isVoid = true }
        for name in raw { all[name, default: none].isRaw = true }
        for name in blocks { all[name, default: none].ended = ["p"] }
        for (name, ended) in endedBy { all[name, default: none].ended = ended }
        return all
    }()

    private static let void: [HTMLName] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param",
    ]

    private static let raw: [HTMLName] = ["script", "style", "textarea", "title", "xmp", "noembed"]

    private static let endedBy: [HTMLName: [HTMLName]] = [
        "li": ["li", "p"], "dt": ["dt", "dd", "p"], "dd": ["dt", "dd", "p"], "option": ["option"],
        "optgroup": ["option", "optgroup"], "tr": ["tr", "td", "th"], "td": ["td", "th"], "th": ["td", "th"],
        "tbody": ["tr", "td", "th", "thead", "tbody"], "tfoot": ["tr", "td", "th", "tbody"], "body": ["head"],
    ]

    private static let blocks: [HTMLName] = [
        "address", "article", "aside", "blockquote", "div", "dl", "fieldset", "footer", "form", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "table", "ul",
    ]
}
