/// The parts of a page that a browser loads by itself.
enum HARResource {
    /// Returns the word for what an entry is; nil for a call of an API.
    static func kind(of entry: ForeignValue) -> String? {
        // Ombi records what its user sent.
        if entry["_name"] != nil { return nil }
        let request = entry["request"]
        if let scheme = request?["url"]?.string?.prefix(while: { $0 != ":" }).lowercased(), inPage.contains(scheme) {
            return scheme
        }
        if isBlocked(entry["response"]) { return "blocked" }
        if isPreflight(request) { return "preflight" }
        // Browsers say the kind in one way or another.
        let destination = header("sec-fetch-dest", of: request)
        if let said = (entry["_resourceType"]?.string ?? destination)?.lowercased(), said != "other" {
            return kinds[said]
        }
        guard request?["method"]?.text.uppercased() ?? "GET" == "GET" else { return nil }
        let type = ForeignBody.kind(of: entry["response"]?["content"]?["mimeType"]?.text ?? "")
        guard ["", "x-unknown", "application/octet-stream"].contains(type) else { return kind(ofType: type) }
        // A response that changed nothing has no type of its own, and fonts have any.
        let path = request?["url"]?.string?.prefix { $0 != "?" && $0 != "#" } ?? ""
        return path.split(separator: ".").last.flatMap { endings[$0.lowercased()] }
    }

    private static let inPage: Set<String> = ["data", "blob", "chrome-extension", "moz-extension", "chrome", "about"]

    /// The words of `_resourceType` and of `Sec-Fetch-Dest`.
    private static let kinds = [
        "image": "image", "font": "font", "stylesheet": "style sheet", "style": "style sheet", "script": "script",
        "media": "media", "audio": "media", "video": "media", "track": "media", "texttrack": "media",
        "manifest": "manifest", "ping": "ping", "beacon": "ping", "preflight": "preflight",
    ]

    /// The words for the ends of paths.
    private static let endings = [
        "css": "style sheet", "js": "script", "mjs": "script", "png": "image", "jpg": "image", "jpeg": "image",
        "gif": "image", "webp": "image", "svg": "image", "ico": "image", "avif": "image", "woff": "font",
        "woff2": "font", "ttf": "font", "otf": "font", "eot": "font",
    ]

    private static func kind(ofType type: String) -> String? {
        switch type {
        case "text/css": "style sheet"
        case "text/javascript", "application/javascript", "application/x-javascript", "application/ecmascript":
            "script"
        case "application/manifest+json": "manifest"
        case "application/font-woff", "application/font-woff2", "application/vnd.ms-fontobject": "font"
        default: ["image": "image", "font": "font", "audio": "media", "video": "media"][type.prefix { $0 != "/" }]
        }
    }

    /// True for a request that the browser, or a blocker in it, did not send.
    private static func isBlocked(_ response: ForeignValue?) -> Bool {
        guard let status = response?["status"].flatMap({ Int($0.text) }), status <= 0 else { return false }
        return response?["_error"]?.text.lowercased().contains("blocked") ?? false
    }

    /// True for the question of a browser whether another origin may call.
    private static func isPreflight(_ request: ForeignValue?) -> Bool {
        request?["method"]?.text.uppercased() == RequestMethod.options.rawValue
            && header("access-control-request-method", of: request) != nil
    }

    private static func header(_ name: String, of request: ForeignValue?) -> String? {
        request?["headers"]?.elements.first { $0["name"]?.string?.lowercased() == name }?["value"]?.string
    }
}
