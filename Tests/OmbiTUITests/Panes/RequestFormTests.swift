import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The rows of the request pane.
@Suite struct RequestFormTests {
    @Test func `a status that the request expects is not among those that are retried by default`() {
        var request = SavedRequest(name: "r", path: "/")
        request.expect = OmbiWorkspace.Expectation(status: [.code(503)])
        let notes = RequestForm.rows(of: .policy, in: request, inheritance: nil).map(\.note)
        #expect(notes.contains("connection, timeout, 408, 425, 429, 500, 502, 504 (default)"), "\(notes)")
    }
}
