import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A run that has just ended as JSON: `run` in `schema/run.schema.json`.
extension SessionResult {
    /// - Parameters:
    ///   - name: the request by the names of collection and folders.
    ///   - row: the number of its row of data; nil without data.
    package func json(name: String, row: Int?, method: RequestMethod) -> JSONValue {
        let head: JSONValue = [
            "name": .string(name), "row": row.map { JSONValue.number($0) }, "method": .string(method.rawValue),
            "url": .nullable(prepared?.url),
        ]
        let size = receivedResponse.map { $0.body?.count ?? 0 }
        let figures = JSONValue.figures(
            RecordedOutcome(self), status: receivedResponse?.statusCode, failure: failures.first,
            duration: report?.duration, attempts: attemptCount)
        return head.appending(figures).appending(["bytes": .nullable(size)]).appending(details(attempts.map(\.json)))
    }

    private var attempts: [AttemptReport] { report?.attempts ?? [] }

    /// The attempts with their responses, but for the one whose response is that of the run.
    fileprivate var attemptsWithResponses: [JSONValue] {
        let attempts = attempts
        return attempts.indices.map { index in
            attempts.isFollowed(index) ? attempts[index].jsonWithResponse : attempts[index].json
        }
    }

    /// The members that a run in a list lacks.
    fileprivate func details(_ attempts: [JSONValue]) -> JSONValue {
        [
            "failures": .strings(failures), "expectations": .array(expectations.map(\.json)),
            "attempts": .array(attempts), "remark": remark.map(JSONValue.string), "pages": pages?.json,
            "fallback": fallback?.json, "verifiesTLS": prepared?.verifiesTLS == false ? .bool(false) : nil,
            "sentFirst": dependencies.isEmpty ? nil : .array(dependencies.map(\.json)),
            "captured": captured.isEmpty ? nil : .array(captured.map(\.json)),
        ]
    }
}

/// A run of the history in short.
extension HistoryEntry {
    package var json: JSONValue {
        let head: JSONValue = [
            "id": .number(id), "startedAt": .time(startedAt), "file": .string(request.file),
            "path": .strings(request.path), "environment": .nullable(environment), "method": .string(method),
            "url": .nullable(url.isEmpty ? nil : url),
        ]
        let figures = JSONValue.figures(
            outcome, status: status, failure: failure, duration: duration, attempts: attempts)
        return head.appending(figures).appending(["bytes": .nullable(size)])
    }
}

/// A run of the history, with its request, its attempts and its response.
extension RecordedRun {
    package var json: JSONValue {
        let request: JSONValue = result.prepared?.json ?? .null
        let response: JSONValue = result.receivedResponse?.json ?? .null
        return entry.json.appending(result.details(result.attemptsWithResponses)).appending([
            "request": request, "response": response,
        ])
    }
}

/// A run as a side of a comparison.
extension RunComparison.Side {
    package var json: JSONValue {
        let head: JSONValue = [
            "id": .nullable(run), "startedAt": .time(startedAt), "environment": .nullable(environment),
        ]
        return head.appending(
            .figures(outcome, status: status, failure: failure, duration: duration, attempts: attempts))
    }
}

extension JSONValue {
    /// The members that every form of a run has.
    fileprivate static func figures(
        _ outcome: RecordedOutcome, status: Int?, failure: String?, duration: Duration?, attempts: Int
    ) -> JSONValue {
        [
            "outcome": .string(outcome.name), "status": .nullable(status), "failure": .nullable(failure),
            "durationMs": .milliseconds(duration), "attemptCount": .number(attempts),
        ]
    }
}

extension Fallback {
    fileprivate var json: JSONValue {
        switch self {
        case .missing(let reason): return ["missing": .string(reason)]
        case .response(let used):
            let bytes = used.response.body?.count
            return used.source.json.appending([
                "date": .time(used.date), "ageMs": .milliseconds(used.age),
                "status": .nullable(used.response.statusCode), "bytes": bytes.map { JSONValue.number($0) },
            ])
        }
    }
}

extension PageSummary {
    fileprivate var json: JSONValue {
        ["count": .number(count), "expected": .nullable(expected), "more": .bool(hasMore)]
    }
}

extension DependencyResult {
    fileprivate var json: JSONValue {
        let outcome: RecordedOutcome = failures.isEmpty ? .passed : statusCode == nil ? .error : .failed
        return [
            "name": .string(request), "variable": .string(variable), "outcome": .string(outcome.name),
            "status": .nullable(statusCode),
            "failures": .strings(failures), "durationMs": .milliseconds(duration), "attemptCount": .number(attempts),
        ]
    }
}
