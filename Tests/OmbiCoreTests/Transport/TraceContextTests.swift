import Testing

@testable import OmbiCore

/// The header that names the trace and the span of an attempt.
@Suite struct TraceContextTests {
    static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let text = "00-\(trace)-00f067aa0ba902b7-01"

    @Test func `a header is read, and written as it was`() throws {
        let context = try #require(TraceContext(Self.text))
        #expect(context.traceID == Self.trace && context.spanID == "00f067aa0ba902b7" && context.header == Self.text)
        let future = try #require(TraceContext("cc-\(Self.trace)-00f067aa0ba902b7-00-what-comes"))
        #expect(future.traceID == Self.trace && future.header.hasSuffix("-00"))
    }

    @Test(arguments: [
        "", "00", "00-", "00---", "\(trace)", "00-\(trace)-00f067aa0ba902b7", "00-\(trace)-00f067aa0ba902b7-01-x",
        "ff-\(trace)-00f067aa0ba902b7-01", "0-\(trace)-00f067aa0ba902b7-01", "zz-\(trace)-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-\(trace)-0000000000000000-01",
        "00-\(trace.uppercased())-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-1",
        "00-\(trace)-00f067aa0ba902b-01", "00-\(trace)0-00f067aa0ba902b7-01", "00-\(trace)-+0f067aa0ba902b7-01",
        " 00-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-01\n",
        "01-\(trace)-00f067aa0ba902b7-01-" + String(repeating: "x", count: 300),
        "00-４bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ]) func `other text is none`(text: String) {
        #expect(TraceContext(text) == nil)
    }

    @Test func `identifiers are random, sampled, and of their length`() throws {
        let contexts = (0..<200).map { _ in TraceContext.random() }
        #expect(Set(contexts.map(\.traceID)).count == 200 && Set(contexts.map(\.spanID)).count == 200)
        for context in contexts {
            #expect(TraceContext(context.header) == context && context.header.hasSuffix("-01"))
            #expect(context.header.utf8.count == 55)
            let next = context.next()
            #expect(next.traceID == context.traceID && next.spanID != context.spanID)
        }
    }
}
