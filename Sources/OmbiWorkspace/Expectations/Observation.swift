import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The facts about a run that expectations are about.
struct Observation {
    var status: Int?
    var duration: Duration = .zero
    var firstAttempt: Duration?
    var headers: RequestHeaders = [:]
    var body = Data()
    /// The end of the validity of the server's certificate; nil without TLS.
    var certificateEnd: Date?
    var now = Date()
    /// Masks secrets.
    var mask: (String) -> String = { $0 }
    /// Shared by all expectations, so that none of them is evaluated for long.
    var time = EvaluationTime()
}

extension Observation {
    /// Returns a text for a message: masked, then cut.
    func excerpt(_ text: String) -> String { mask(text).excerpt(80) }
}
