import Foundation
import Testing

@testable import DemoAPI

@Test func `the demo collection can be read`() throws {
    #expect(try DemoCollection.read().count >= 40)
    let names = try DemoCollection.read().map(\.testDescription)
    #expect(Set(names).count == names.count)
}

@Test(arguments: DemoCollection.all) func `each request of the demo collection meets its expectation`(
    item: DemoCollection.Item
) async throws {
    try await withServer { client in
        var target = item.target
        var status = 0
        var attempts = item.attempts
        var redirects = item.redirects
        while attempts > 0 {
            let response = try await client.send(item.method, target, headers: item.headers, body: item.body)
            status = response.status
            if let location = response.header("Location"), (300...399).contains(status), redirects > 0 {
                target = location
                redirects -= 1
            } else {
                attempts = [429, 503].contains(status) ? attempts - 1 : 0
            }
        }
        // Without the handshake of a WebSocket the route refuses.
        if item.expected == "101" { return #expect(status == 400) }
        let matches = item.expected == "2xx" ? (200...299).contains(status) : item.expected == String(status)
        #expect(matches, "\(item.method) \(item.target) gave \(status), not \(item.expected)")
    }
}

@Test func `each request of the demo collection has a route of its own, not just an error`() throws {
    let routes = Router.demoRoutes()
    for item in try DemoCollection.read() {
        let path = item.target.split(separator: "?")[0].split(separator: "/")
        let known = routes.contains { $0.accepts(item.method) && $0.parameters(in: path) != nil }
        #expect(known, "\(item.method) \(item.target) is no route")
    }
}
