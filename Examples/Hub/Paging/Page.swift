import OmbiCore

/// Some items of a list, and the query of the page after it.
struct Page<Item: Sendable>: Sendable {
    let items: [Item]
    /// nil on the last page.
    let next: [URLQueryItem]?
}

/// A request for a list in pages.
protocol PagedRequest: HubRequest where ResponseBody == Page<Item>, QueryValue == [URLQueryItem] {
    associatedtype Item: Decodable & Sendable

    var query: [URLQueryItem] { get set }

    static func items(in data: Data) throws -> [Item]
}

extension PagedRequest {
    static func items(in data: Data) throws -> [Item] { try JSONDecoder.hub.decode([Item].self, from: data) }

    var responseDecoder: BodyDecoder<Page<Item>> {
        .response { response in
            // The host of the link is not looked at, so no token goes elsewhere.
            let next = response.links["next"].flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
            return Page(items: try Self.items(in: response.body ?? Data()), next: next?.queryItems)
        }
    }
}
