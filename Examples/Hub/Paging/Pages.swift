import OmbiCore

/// The pages of a list, each requested when it is asked for:
///
///     for try await page in hub.pages(RepositoriesOfUser(login: "ada")) { show(page) }
struct Pages<Request: PagedRequest>: AsyncSequence {
    typealias Failure = RequestError<HubError>

    let hub: Hub
    let first: Request

    func makeAsyncIterator() -> Iterator { Iterator(hub: hub, request: first) }

    struct Iterator: AsyncIteratorProtocol {
        let hub: Hub
        /// nil after the last page, and after an error.
        var request: Request?

        mutating func next(isolation: isolated (any Actor)?) async throws(Failure) -> [Request.Item]? {
            guard var request = self.request.take() else { return nil }
            let page = try await hub.value(for: request)
            if let query = page.next {
                request.query = query
                self.request = request
            }
            return page.items
        }
    }
}
