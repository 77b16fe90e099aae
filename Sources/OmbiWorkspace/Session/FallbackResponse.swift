import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response from before that stands in for one that failed. It is never judged, captured from or recorded as a response.
public struct FallbackResponse: Equatable, Sendable {
    public enum Source: Equatable, Sendable {
        /// A run of the history, by its number.
        case run(Int)
        /// A file, by the path that the collection has.
        case file(String)
    }

    public var source: Source
    /// The start of the run, or the last change of the file.
    public var date: Date
    /// The age when it was used; never negative.
    public var age: Duration
    /// Without a body where the run that used it is one of the history.
    public var response: TransportResponse

    public init(_ source: Source, date: Date, age: Duration, response: TransportResponse) {
        self.source = source
        self.date = date
        self.age = max(.zero, age)
        self.response = response
    }

    public init(_ source: Source, date: Date, now: Date, response: TransportResponse) {
        self.init(source, date: date, age: .age(of: date, at: now), response: response)
    }

    /// `response of 2026-11-22 14:05:09, 1 d old`
    public var words: String {
        switch source {
        case .run: "response of \(LocalClock.system.text(date)), \(ageWords) old"
        case .file(let path): "\(path) of \(LocalClock.system.text(date)), \(ageWords) old"
        }
    }

    /// `12 s`, `40 min`, `3 h`, `2 d`
    public var ageWords: String { age.ageWords }
}

/// The fallback of a run that failed: a response, or the reason why there is none, as a sentence.
public enum Fallback: Equatable, Sendable {
    case response(FallbackResponse)
    case missing(String)

    public var response: FallbackResponse? { if case .response(let response) = self { response } else { nil } }

    /// `fallback: response of 2026-11-22 14:05:09, 1 d old`
    public var words: String {
        switch self {
        case .response(let response): "fallback: \(response.words)"
        case .missing(let reason): "no fallback: \(reason)"
        }
    }
}
