import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The responses of attempts that another one followed; that of the last one is the response of the run.
struct HistoryResponses {
    let database: Database
    let contents: HistoryContents

    /// `size` is that of the body as it came; a body without a content is not kept.
    static let schema = """
        CREATE TABLE response (
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, number INTEGER NOT NULL,
            status INTEGER, headers TEXT, partial INTEGER NOT NULL, size INTEGER NOT NULL,
            body INTEGER REFERENCES content, PRIMARY KEY (run, number)) WITHOUT ROWID;
        CREATE INDEX response_by_body ON response (body) WHERE body IS NOT NULL;
        """

    /// Writes the responses of a run, inside a transaction.
    func write(_ result: SessionResult, of run: Int, _ limits: HistoryLimits) throws(DatabaseError) {
        let attempts = result.report?.attempts ?? []
        for index in attempts.indices where attempts.isFollowed(index) {
            let attempt = attempts[index]
            guard let received = attempt.received else { continue }
            let size = attempt.omittedBody ?? received.body?.count ?? 0
            var body: Int?
            if size > 0, size <= limits.maximumBody,
                let masked = result.masked(bodyOf: received, isPart: attempt.isPartial)
            {
                body = try contents.add(masked)
            }
            let headers: String? = received.headers.map { RecordedDetails.json($0).compact }
            try database.run(
                "INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(run), .integer(attempt.number),
                .optional(received.statusCode), .optional(headers),
                .integer(attempt.isPartial ? 1 : 0), .integer(size), .optional(body))
        }
    }

    /// Completes the attempts of a run.
    /// - Parameter maximumBody: in bytes; a larger body is left out, as if it were not kept.
    func read(
        into attempts: inout [AttemptReport], of run: Int, maximumBody: Int
    ) throws(DatabaseError) {
        let rows = try database.rows(
            "SELECT number, status, headers, partial, size, body FROM response WHERE run = ?", [.integer(run)]
        ) { row in
            (
                number: row.count(0), status: row.status(1), headers: row.optionalText(2),
                isPartial: row.integer(3) != 0,
                size: row.count(4), body: row.optionalInteger(5)
            )
        }
        for row in rows {
            guard let index = attempts.firstIndex(where: { $0.number == row.number }) else { continue }
            var body: Data? = row.size == 0 ? Data() : nil
            if row.size <= maximumBody, let id = row.body { body = try contents.content(id) }
            let headers = row.headers.flatMap { try? JSONValue.parse($0) }
            attempts[index].received = TransportResponse(
                headers: RecordedDetails.headers(headers), statusCode: row.status, body: body)
            attempts[index].isPartial = row.isPartial
            if body == nil { attempts[index].omittedBody = row.size }
        }
    }
}
