import OmbiCore

extension Session {
    /// The end of a run before anything of it is masked.
    struct Outcome: Sendable {
        var ending: Result<TransportResponse, RequestError<NoError>>
        var report: RequestReport?
        /// The pages that the response is joined of; nil for one that is whole.
        var pages: PageSummary?
        /// The reason why the pages end early, as a sentence.
        var problem: String?
        /// The report of the first page, where there are several.
        var firstPage: RequestReport?
    }
}
