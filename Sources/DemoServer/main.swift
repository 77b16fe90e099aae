import DemoAPI
