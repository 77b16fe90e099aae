import OmbiCore

/// The repositories that match a text, page by page. The items are one level down.
struct SearchRepositories: PagedRequest {
    typealias Item = Repository

    var query: [URLQueryItem]

    init(_ text: String) { query = [URLQueryItem(name: "q", value: text), URLQueryItem(name: "sort", value: "stars")] }

    let path = "/search/repositories"
    let method = RequestMethod.get

    static func items(in data: Data) throws -> [Repository] {
        try JSONDecoder.hub.decode(Found.self, from: data).items
    }

    private struct Found: Decodable {
        let items: [Repository]
    }
}
