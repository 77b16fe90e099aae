import OmbiCore

/// The place at which the pages of a request go on: the next run continues the document of the last one there.
struct PageMark: Sendable {
    struct Key: Hashable, Sendable {
        var file: String
        var environment: String?
        var item: ItemID

        init(_ order: RunOrder) {
            (file, environment, item) = (order.file, order.environment, order.request.id)
        }
    }

    var target: PageTarget
    var joiner: PageJoiner
    /// The URLs that were requested.
    var visited: Set<String>
    /// The pages so far.
    var pages: PageSummary
}
