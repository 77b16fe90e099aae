import Foundation
import OmbiCore

/// Time limits. How long something takes is not looked at, only that it ends, and how.
enum TimeoutCases {
    static let all = [
        limited(
            "a silent server", .silence, [], idle: false, ["failed timedOut: no response from SERVER within 200ms"]),
        limited(
            "a silent server", .silence, [.idleTimeout], idle: true,
            ["failed timedOut: no response from SERVER within 200ms"]),
        limited(
            "a body that stalls", .stalled(length: 2048, sent: 512), [.partialResponse], idle: false,
            [
                "head 200",
                "failed timedOut: the response from SERVER was not complete within 1s (512 of 2048 bytes)",
                "part 200 512 bytes",
            ]),
        limited(
            "a body that stalls", .stalled(length: 2048, sent: 512), [.partialResponse, .idleTimeout], idle: true,
            [
                "head 200",
                "failed timedOut: the response from SERVER stalled for 1s (512 of 2048 bytes)",
                "part 200 512 bytes",
            ]),
        redirected, unlimited,
    ]

    private static func limited(
        _ name: String, _ reply: LoopbackReply, _ needs: Set<TransportCase.Feature>, idle: Bool, _ expected: [String]
    ) -> TransportCase {
        TransportCase(
            "\(name) is given up by the \(idle ? "idle" : "attempt's") limit", needsNetwork: true, needs: needs,
            expects: expected
        ) { stage in
            let server = try stage.server { _ in reply }
            let limit: Duration = expected.count == 1 ? .milliseconds(200) : .seconds(1)
            let request = server.request {
                $0.idleTimeout = idle ? limit : nil
                $0.attemptTimeout = idle ? nil : limit
            }
            await stage.attempt(request, at: server)
        }
    }

    private static let redirected = TransportCase(
        "the attempt's limit goes on over redirects", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 302 to GET http://SERVER/end", "failed timedOut: no response from SERVER within 3s",
            "part 302 \"\"",
        ]
    ) { stage in
        let server = try stage.server { $0.target == "/" ? .redirect(302, to: "/end") : .silence }
        await stage.attempt(server.request { $0.attemptTimeout = .seconds(3) }, at: server)
    }

    private static let unlimited = TransportCase(
        "without limits a response comes", expects: ["head 200", "finished 200 \"done\""]
    ) { stage in
        let server = try stage.server { _ in .ok("done") }
        let request = server.request {
            $0.idleTimeout = nil
            $0.attemptTimeout = nil
        }
        await stage.attempt(request, at: server)
    }
}
