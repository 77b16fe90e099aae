/// What HTML leaves out that XML writes down (HTML Standard, section 13.1.2), as far as indentation depends on it.
enum HTMLRules {
    /// Elements without an end tag.
    static let void: Set<HTMLName> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param",
    ]

    /// Elements whose content is no markup.
    static let raw: Set<HTMLName> = ["script", "style", "textarea", "title", "xmp", "noembed"]

    /// The elements that end where this one begins, if one of them is the innermost.
    static func ended(by name: HTMLName) -> Set<HTMLName> {
        if let names = endedBy[name] { return names }
        return blocks.contains(name) ? ["p"] : []
    }

    private static let endedBy: [HTMLName: Set<HTMLName>] = [
        "li": ["li", "p"], "dt": ["dt", "dd", "p"], "dd": ["dt", "dd", "p"], "option": ["option"],
        "optgroup": ["option", "optgroup"], "tr": ["tr", "td", "th"], "td": ["td", "th"], "th": ["td", "th"],
        "tbody": ["tr", "td", "th", "thead", "tbody"], "tfoot": ["tr", "td", "th", "tbody"], "body": ["head"],
    ]

    private static let blocks: Set<HTMLName> = [
        "address", "article", "aside", "blockquote", "div", "dl", "fieldset", "footer", "form", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "table", "ul",
    ]
}
