import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The failures of a folder's run: the cursor ends there, and Enter shows the cause.
extension BatchStories {
    @Test func `the cursor ends on the first failure, unless it was moved, and again after what failed is run again`() {
        var story = Story(columns: 80, rows: 24, file: Story.file(requests: 30))
        story.run("many", atOnce: 30)
        let orders = story.takeOrders()
        for (index, order) in orders.enumerated() {
            if index == 4 || index == 20 { story.end(order.id, .failure("no route")) } else { story.pass(order.id) }
        }
        #expect(story.state.batchPane.current == 4)
        story.press("G", "f")
        #expect(story.screen.contains("28 of 30 done · 2 running"))
        let again = story.takeOrders()
        story.time = .seconds(2)
        story.end(again[0].id, .cancelled)
        story.end(again[1].id, .failure("no route"))
        #expect(story.state.batchPane.current == 20, "a cancelled request has not failed")
        #expect(story.screen.contains("2 run again in 2 s"), "\(story.screen)")
        var moved = Story(columns: 80, rows: 24, file: Story.file(requests: 30))
        moved.run("many", atOnce: 30)
        moved.press("g")
        for order in moved.takeOrders() { moved.end(order.id, .failure("no route")) }
        #expect(moved.state.batchPane.current == 0)
    }

    @Test func `the requests of one pass are a group: what one of them sends first has had its turn`() {
        var story = Story()
        story.run("users", atOnce: 3)
        let orders = story.takeOrders()
        #expect(orders[0].group != nil && orders.allSatisfy { $0.group == orders[0].group })
        for order in orders { story.end(order.id, .failure("no route")) }
        story.press("f")
        let again = story.takeOrders()
        #expect(again.count == 3 && again[0].group != nil && again[0].group != orders[0].group)
    }

    @Test(arguments: [(true, ResponseTab.expect), (false, .body)])
    func `Enter on a failure shows the tab that says why`(isMissed: Bool, tab: ResponseTab) {
        var story = Story(columns: 80, rows: 24)
        story.state.responsePane.show(.headers)
        story.run("users", atOnce: 3)
        let orders = story.takeOrders()
        var sent = SampleRun.sent
        sent.expectation = isMissed ? OmbiWorkspace.Expectation(status: [.code(201)]) : nil
        story.receive(.run(orders[1].id, .prepared(sent)))
        story.end(orders[1].id, .response(SampleRun.response(isMissed ? 404 : 500, "")))
        story.pass(orders[0].id)
        story.pass(orders[2].id)
        if isMissed { #expect(story.screen.contains("✗ expected status 201, got 404"), "\(story.screen)") }
        story.press("Enter")
        #expect(story.request?.name == "user by id")
        #expect(story.state.focus == .response)
        #expect(story.state.responsePane.tab == tab)
        story.press("T", "g", "Enter")
        #expect(story.state.responsePane.tab == .body, "nothing is expected of what passed")
    }
}
