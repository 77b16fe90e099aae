import Foundation
import Testing

@testable import OmbiCore

@Suite struct RetryDecisionTests {
    @Test(arguments: [
        (Backoff.none, 5, 0.0, 0.0), (.constant(.seconds(2)), 3, 0, 2),
        (.exponential(first: .milliseconds(250)), 1, 0, 0.25), (.exponential(first: .milliseconds(250)), 3, 0, 1),
        (.exponential(first: .seconds(1), jitter: 0.2), 2, 1, 2.4),
        (.exponential(first: .seconds(1), jitter: 0.2), 2, -1, 1.6),
        (.exponential(first: .seconds(1), ceiling: .seconds(3)), 10_000, 1, 3),
        (.exponential(first: .seconds(1), factor: .infinity), 3, 0, 1e9),
        (.exponential(first: .seconds(1), factor: .nan), 3, 0, 0),
        (.constant(.seconds(2)), .max, 0, 2), (.exponential(first: .seconds(1), factor: 0.5), 3, 0, 0.25),
        (.exponential(first: .seconds(1), factor: 0.999), .max, 0, 0),
        (.exponential(first: .seconds(1), factor: 3), 5, 0, 81), (.none, .max, 0, 0),
        (.exponential(first: .zero, factor: .infinity), 3, 0, 0),
    ])
    func waits(backoff: Backoff, attempt: Int, random: Double, seconds: Double) {
        #expect(backoff.wait(attempt: attempt, random: random) == .seconds(seconds))
    }

    @Test(arguments: [
        ("120", 120.0), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
        ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:39 1994", 2),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("99999999999999999999999", 1e9),
    ])
    func `Retry-After is read`(text: String, seconds: Double) {
        #expect(RetryAfter.wait(text, now: 784_111_777) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "soon", "-1", "1.5", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:00:00 GMT", "a b c d e",
    ])
    func `other text is no Retry-After`(text: String) {
        #expect(RetryAfter.wait(text, now: 0) == nil)
    }

    @Test func `dates agree with the calendar`() {
        #expect(RetryAfter.date("Tue, 29 Feb 2000 12:00:00 GMT") == 951_825_600)
        #expect(RetryAfter.date("Fri, 31 Dec 2038 23:59:59 GMT") == 2_177_452_799)
    }

    @Test(arguments: [
        (0.0, "0ms"), (0.08, "80ms"), (0.9996, "1s"), (1.5, "1.5s"), (120, "2m"), (.infinity, "1000000000s"),
    ])
    func `durations are written in words`(seconds: Double, words: String) {
        #expect(Duration(clampingSeconds: seconds).text == words)
    }
}
