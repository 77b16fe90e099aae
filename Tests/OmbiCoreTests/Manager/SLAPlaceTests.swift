import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Where a run was when its SLA ended: in the words of the error.
@Suite struct SLAPlaceTests {
    typealias Around = MiddlewareTests.Around
    typealias Failure = RequestError<HTTPError>

    enum Place: String, CaseIterable {
        case outward, back, aroundRunOutward, aroundRunBack, authenticator, refresh, transport

        var sentence: String {
            switch self {
            case .outward: "the SLA of 1s ended in attempt 1 in a middleware, before anything was sent to stub.test"
            case .back: "the SLA of 1s ended in attempt 1 in a middleware, after the response from stub.test"
            case .aroundRunOutward: "the SLA of 1s ended in a middleware around the run, before the first attempt"
            case .aroundRunBack: "the SLA of 1s ended in a middleware around the run, after attempt 1"
            case .authenticator:
                "the SLA of 1s ended in attempt 1 while credentials were being obtained, "
                    + "before anything was sent to stub.test"
            case .refresh: "the SLA of 1s ended in attempt 1 while new credentials for stub.test were being obtained"
            case .transport: "the SLA of 1s ended in attempt 1 while waiting for stub.test"
            }
        }
    }

    /// Waits where it is told to, until the test ends.
    struct Slow: Authenticator {
        let reached: Transcript
        let gate: Gate
        let place: Place

        func wait(_ here: Place) async {
            guard place == here else { return }
            reached.end("there")
            await gate.pass()
        }

        func around(_ scope: MiddlewareScope, _ outward: Place, _ back: Place) -> Around {
            Around(scope: scope) { request, next in
                await wait(outward)
                let response = try await next(request)
                await wait(back)
                return response
            }
        }

        func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
            await wait(.authenticator)
            return request
        }

        func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
            await wait(.refresh)
            return false
        }
    }

    @Test(arguments: Place.allCases) func `the error says who had the request`(place: Place) async throws {
        let (clock, reached, gate) = (ManualClock(), Transcript(), Gate())
        let slow = Slow(reached: reached, gate: gate, place: place)
        let status = place == .refresh ? 401 : 200
        let transport = StubTransport { _ in
            guard place == .transport else { return .response(statusCode: status, data: Data("x".utf8)) }
            reached.end("there")
            return .silence
        }
        let manager = RequestManager(
            host: "http://stub.test", transport: place == .transport ? ScriptedTransport(.silence) : transport,
            clock: clock)
        manager.middlewares = [
            slow.around(.run, .aroundRunOutward, .aroundRunBack), slow.around(.attempt, .outward, .back),
        ]
        manager.authenticator = slow
        let task = manager.send(TextRequest(), sla: 1)
        if place == .transport {
            #expect(await eventually { manager.runningRequests.first?.attempt == 1 })
            let transport = try #require(manager.transport as? ScriptedTransport)
            #expect(await eventually { transport.requests.count == 1 })
        } else {
            _ = await reached.lines
        }
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: Failure.slaExceeded()) { try await task.response }
        #expect(error?.description == place.sentence)
        await gate.open()
    }
}
