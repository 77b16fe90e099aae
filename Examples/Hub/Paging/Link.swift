import OmbiCore

/// The `Link` header (RFC 8288), as far as lists need it: `<https://…/repos?page=2>; rel="next", <…>; rel="last"`.
enum Link {
    /// Returns the query of the link with that relation. The link's host is not looked at, so no token goes elsewhere.
    static func query(of relation: String, in header: RequestHeaders.Value?) -> [URLQueryItem]? {
        let links = header?.text.split(separator: "<") ?? []
        return links.first { $0.contains("rel=\"\(relation)\"") }
            .flatMap { $0.split(separator: ">").first }
            .flatMap { URLComponents(string: String($0))?.queryItems }
    }
}
