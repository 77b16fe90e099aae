import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A condition on the data of one event of a stream, as a line: `$.done = true`.
public struct EventCondition: Sendable, Equatable {
    public let text: String
    private let expectation: BodyExpectation

    /// Reads a JSONPath and the conditions behind it; without conditions the path has to select something.
    public init(_ text: String) throws(FieldError) {
        self.text = text
        let line = text.trimmed
        // A path may hold spaces: what is left behind the longest one are the conditions.
        let ends = [line.endIndex] + line.indices.filter { line[$0] == " " }.reversed()
        var problem: FieldError?
        for end in ends {
            let path = line[..<end].trimmed
            guard (try? JSONPath(path)) != nil else { continue }
            do throws(FieldError) {
                expectation = BodyExpectation(path, try ConditionText.conditions(String(line[end...]), isText: false))
                return
            } catch { problem = error }
        }
        throw problem ?? FieldError("write a JSONPath and a condition, such as $.done = true")
    }

    public func isMet(
        by data: String, within time: EvaluationTime = EvaluationTime()
    ) throws(EvaluationTime.Interruption) -> Bool {
        let observation = Observation(
            headers: ["Content-Type": "application/json"], body: Data(data.utf8), time: time)
        let isMet = Expectation(body: [expectation]).results(observation).allSatisfy(\.isMet)
        if let interruption = time.interruption { throw interruption }
        return isMet
    }
}
