import OmbiCore
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HistoryCommand.Show {
    /// Prints the response of an attempt.
    func show(attempt number: Int, of run: RecordedRun) throws {
        guard let attempt = run.attempt(number) else {
            let count = Count.of(run.result.report?.attempts.count ?? 0, "attempt")
            StandardError.print("ombi: run \(run.entry.id) has no attempt \(number), but \(count)")
            throw ExitStatus.failure
        }
        if let bytes = attempt.omittedBody {
            StandardError.print("ombi: the body of attempt \(number) is not kept (\(bytes) bytes)")
        }
        if body {
            StandardOutput.write(body: Array(attempt.received?.body ?? Data()))
        } else if output == .json {
            StandardOutput.print(RunJSON.escaped(run.result.jsonWithResponses(of: attempt).trimmedText))
        } else {
            for line in HistoryText.lines(attempt) { StandardOutput.show(line) }
        }
    }
}

extension RecordedRun {
    /// An attempt with its response, which is that of the run for the last one; nil for a number that no attempt has.
    fileprivate func attempt(_ number: Int) -> AttemptReport? {
        let attempts = result.report?.attempts ?? []
        guard let index = attempts.lastIndex(where: { $0.number == number }) else { return nil }
        var attempt = attempts[index]
        if !attempts.isFollowed(index) {
            (attempt.received, attempt.isPartial) = (result.receivedResponse, result.response == nil)
            attempt.omittedBody = missingBody == nil ? nil : entry.size
        }
        return attempt
    }
}
