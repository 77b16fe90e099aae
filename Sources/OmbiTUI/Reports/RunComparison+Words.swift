import OmbiTerminal
import OmbiWorkspace

extension RunComparison {
    /// `same`, `2 values differ`, `another status, the same body`
    var verdict: String {
        if isSame { return "same" }
        switch body {
        case .values(let changes, let isCut):
            let number = isCut ? "more than \(changes.count) values" : Count.of(changes.count, "value")
            return number + (changes.count == 1 ? " differs" : " differ")
        case .other(let reason): return reason
        case .same:
            return old.hasResponse && new.hasResponse ? "another status, the same body" : "no response to compare"
        }
    }

    /// The verdict in a column: `same`, `12`, `status`
    var shortVerdict: String {
        if isSame { return "same" }
        if !old.hasResponse || !new.hasResponse { return "no resp." }
        if old.status != new.status { return "status" }
        if case .values(let changes, let isCut) = body { return "\(changes.count)\(isCut ? "+" : "") diff." }
        return "body"
    }
}
