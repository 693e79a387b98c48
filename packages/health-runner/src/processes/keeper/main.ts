// what watches over the processes
